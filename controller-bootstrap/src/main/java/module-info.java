/** The controllers of bootstrap tokens, by which new nodes join a cluster (upstream: {@code pkg/controller/bootstrap}). */
module io.kubeloop.controller.bootstrap {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.bootstrap;
}

/** The controller that annotates nodes with a time to live for cached objects (upstream: {@code pkg/controller/ttl}). */
module io.kubeloop.controller.ttl {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.ttl;
}

/** The controller that runs DaemonSets (upstream: {@code pkg/controller/daemon}). */
module io.kubeloop.controller.daemonset {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires io.kubeloop.json;
    requires org.slf4j;

    exports io.kubeloop.controller.daemonset;
}

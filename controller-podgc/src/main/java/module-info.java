/** The controller that deletes pods that nobody else deletes (upstream: {@code pkg/controller/podgc}). */
module io.kubeloop.controller.podgc {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.podgc;
}

/** The controller that deletes objects whose owners are gone (upstream: {@code pkg/controller/garbagecollector}). */
module io.kubeloop.controller.garbagecollector {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.garbagecollector;
}

/** The controller that counts what the objects of a namespace use (upstream: {@code pkg/controller/resourcequota}). */
module io.kubeloop.controller.resourcequota {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.resourcequota;
}

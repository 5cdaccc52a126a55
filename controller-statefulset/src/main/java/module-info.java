/** The controller that runs StatefulSets (upstream: {@code pkg/controller/statefulset}). */
module io.kubeloop.controller.statefulset {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires io.kubeloop.json;
    requires org.slf4j;

    exports io.kubeloop.controller.statefulset;
}

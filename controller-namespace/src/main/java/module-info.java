/** The controller that deletes the content of terminating namespaces (upstream: {@code pkg/controller/namespace}). */
module io.kubeloop.controller.namespace {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.namespace;
}

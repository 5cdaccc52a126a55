/**
 * The endpoint controller, which writes the addresses of a Service's pods into its Endpoints.
 *
 * <p>Behaves as kube-controller-manager's {@code pkg/controller/endpoint}; {@code docs/controllers/endpoint.md} lists
 * the differences of later releases and of this code.
 */
module io.kubeloop.controller.endpoint {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.controller.endpoint;
}

/**
 * The endpoint controller: keeps the Endpoints of every Service equal to the pods that its selector chooses.
 *
 * <p>Behaves as kube-controller-manager's {@code pkg/controller/endpoint}; see {@code docs/endpoint-controller.md} for what
 * later releases and this code do differently.
 */
module io.kubeloop.controller.endpoint {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.controller.endpoint;
}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The endpoint controller, which writes the addresses of a Service's pods into its Endpoints.
 *
 * <p>Behaves as kube-controller-manager's {@code pkg/controller/endpoint}; {@code docs/controllers/endpoint.md} lists
 * the differences.
 */
@SuppressWarnings("module") // the module that sees the qualified export is built later
module io.kubeloop.controller.endpoint {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.endpoint;
    exports io.kubeloop.controller.services to
            io.kubeloop.controllers.discovery;
}

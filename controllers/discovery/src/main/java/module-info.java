/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers of EndpointSlices: one writes the addresses of a Service's pods, the other mirrors Endpoints that
 * users wrote.
 *
 * <p>Behave as kube-controller-manager's {@code pkg/controller/endpointslice} and {@code endpointslicemirroring}.
 */
module io.kubeloop.controllers.discovery {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.controller.endpoint;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.endpointslice;
}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that collects the rules of aggregated cluster roles (upstream: {@code
 * pkg/controller/clusterroleaggregation}).
 */
module io.kubeloop.controllers.rbac {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;

    exports io.kubeloop.controller.clusterroleaggregation;
}

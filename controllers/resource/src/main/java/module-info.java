/* SPDX-License-Identifier: Apache-2.0 */
/** The controllers of dynamic resources (upstream: {@code pkg/controller/resourceclaim}). */
module io.kubeloop.controllers.resource {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;

    exports io.kubeloop.controller.devicetainteviction;
    exports io.kubeloop.controller.resourceclaim;
}

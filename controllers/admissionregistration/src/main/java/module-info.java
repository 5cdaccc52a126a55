/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of admission policies (upstream: {@code pkg/controller/validatingadmissionpolicystatus}). A manager
 * runs it if this module is present.
 */
module io.kubeloop.controllers.admissionregistration {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.apiserver;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;

    exports io.kubeloop.controller.validatingadmissionpolicystatus;

    provides io.kubeloop.controller.ControllerProvider with
            io.kubeloop.controller.validatingadmissionpolicystatus.PolicyStatusProvider;
}

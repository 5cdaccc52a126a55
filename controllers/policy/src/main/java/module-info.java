/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The disruption controller, which computes the status of PodDisruptionBudgets.
 *
 * <p>Behaves as kube-controller-manager's {@code pkg/controller/disruption}.
 */
module io.kubeloop.controllers.policy {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.disruption;
}

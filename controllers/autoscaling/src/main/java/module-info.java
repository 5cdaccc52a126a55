/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of HorizontalPodAutoscalers, which scales objects by metrics.
 *
 * <p>Behaves as kube-controller-manager's {@code pkg/controller/podautoscaler}.
 */
module io.kubeloop.controllers.autoscaling {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.podautoscaling;
}

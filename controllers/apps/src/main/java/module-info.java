/* SPDX-License-Identifier: Apache-2.0 */
/** The controllers of Deployments, DaemonSets and StatefulSets. */
module io.kubeloop.controllers.apps {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.kubeloop.controller.daemonset;
    exports io.kubeloop.controller.deployment;
    exports io.kubeloop.controller.statefulset;
}

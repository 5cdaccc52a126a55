/* SPDX-License-Identifier: Apache-2.0 */
/** The controllers of nodes: health and taints, eviction by taints, address ranges. */
module io.kubeloop.controllers.nodes {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.nodeipam;
    exports io.kubeloop.controller.nodelifecycle;
    exports io.kubeloop.controller.tainteviction;
}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The API server, its HTTP front end, a simulated kubelet and the controllers in one object.
 *
 * <p>Start at {@link io.kubeloop.controlplane.ControlPlane}.
 */
module io.kubeloop.controlplane {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.apiserver.http;
    requires transitive io.kubeloop.apiserver.kinds;
    requires transitive io.kubeloop.cache;
    requires transitive io.kubeloop.controller;
    requires transitive io.kubeloop.json;
    requires transitive io.kubeloop.manager;
    requires io.kubeloop.kubelet;
    requires io.kubeloop.transport.memory;
    requires transitive io.kubeloop.workqueue;
    requires static transitive org.jspecify;

    exports io.kubeloop.controlplane;
    exports io.kubeloop.controlplane.containers;
}

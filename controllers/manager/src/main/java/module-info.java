/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller manager as a library: the table of Kubernetes' controllers, and the manager that runs them together
 * with a user's own controllers.
 *
 * <p>Start at {@link io.kubeloop.manager.ControllerManager} (upstream: {@code cmd/kube-controller-manager/app}).
 */
module io.kubeloop.manager {
    requires transitive io.kubeloop.controller;
    requires transitive io.kubeloop.controllers.certificates;
    requires io.kubeloop.controllers.rbac;
    requires io.kubeloop.controllers.resource;
    requires transitive io.kubeloop.controller.endpoint;
    requires transitive io.kubeloop.controllers.discovery;
    requires transitive io.kubeloop.controllers.nodes;
    requires transitive io.kubeloop.controllers.core;
    requires transitive io.kubeloop.controllers.autoscaling;
    requires transitive io.kubeloop.controller.replicaset;
    requires io.kubeloop.controllers.apps;
    requires io.kubeloop.controllers.policy;
    requires io.kubeloop.controllers.batch;
    requires transitive io.kubeloop.controllers.storage;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.manager;
}

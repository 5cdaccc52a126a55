/**
 * The controller manager as a library: the table of Kubernetes' controllers, and the manager that runs them and controllers of
 * one's own together.
 *
 * <p>Start at {@link io.kubeloop.manager.ControllerManager} (upstream: {@code cmd/kube-controller-manager/app}).
 */
module io.kubeloop.manager {
    requires transitive io.kubeloop.controller;
    requires transitive io.kubeloop.controller.certificates;
    requires io.kubeloop.controller.clusterroleaggregation;
    requires transitive io.kubeloop.controller.endpoint;
    requires transitive io.kubeloop.controller.endpointslice;
    requires transitive io.kubeloop.controller.namespace;
    requires transitive io.kubeloop.controller.podautoscaling;
    requires transitive io.kubeloop.controller.replicaset;
    requires transitive io.kubeloop.controller.resourcequota;
    requires io.kubeloop.controller.bootstrap;
    requires io.kubeloop.controller.daemonset;
    requires io.kubeloop.controller.deployment;
    requires io.kubeloop.controller.disruption;
    requires io.kubeloop.controller.garbagecollector;
    requires io.kubeloop.controller.job;
    requires io.kubeloop.controller.podgc;
    requires io.kubeloop.controller.serviceaccount;
    requires io.kubeloop.controller.statefulset;
    requires io.kubeloop.controller.ttl;
    requires io.kubeloop.controller.volume;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.manager;
}

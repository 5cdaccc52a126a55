package io.kubeloop.app;

import io.kubeloop.controller.endpoint.EndpointRules;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.replicaset.ReplicaSetControllerConfig;

/** What a manager leaves behind where releases of Kubernetes differ; the names are what {@code --rules} takes. */
enum Release {
    /** What v1.20 leaves, request by request. */
    V1_20,
    /** What v1.20 leaves, with limit and spelling of addresses as in later releases, in fewer requests. */
    DEFAULT,
    /** What current releases leave. */
    CURRENT;

    EndpointRules endpointRules() {
        return switch (this) {
            case V1_20 -> EndpointRules.V1_20;
            case DEFAULT -> EndpointRules.DEFAULT;
            case CURRENT -> EndpointRules.CURRENT;
        };
    }

    EventCorrelatorOptions eventOptions() {
        return this == CURRENT ? EventCorrelatorOptions.CURRENT : EventCorrelatorOptions.DEFAULT;
    }

    /** Of both kinds of owners; ReplicationControllers do not count pods that are being deleted. */
    ReplicaSetControllerConfig replicaSetConfig() {
        boolean current = this == CURRENT;
        return ReplicaSetControllerConfig.DEFAULT
                .withTerminatingReplicas(current)
                .withLogarithmicScaleDown(current);
    }
}

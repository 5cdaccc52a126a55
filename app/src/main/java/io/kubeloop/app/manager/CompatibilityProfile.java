package io.kubeloop.app.manager;

import io.kubeloop.controller.endpoint.EndpointRules;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.replicaset.ReplicaSetControllerConfig;

/** The release of Kubernetes whose objects the controllers write; the constants are the values of {@code --rules}. */
enum CompatibilityProfile {
    /** The objects that current releases write. */
    CURRENT,
    /** The objects that Kubernetes 1.20 writes; its controllers also send the requests that 1.20 sends for Endpoints. */
    V1_20;

    /**
     * Reads a value of {@code --rules}.
     *
     * @throws IllegalArgumentException if it is not the name of a profile
     */
    static CompatibilityProfile parse(String text) {
        return switch (text) {
            case "current" -> CURRENT;
            case "v1_20" -> V1_20;
            default -> throw new IllegalArgumentException("must be current or v1_20, got '" + text + "'");
        };
    }

    /**
     * Returns the rules for Endpoints. Dual stack is on: on a server without it, a service and its pods have one family, so that the
     * feature gate makes no difference.
     */
    EndpointRules endpointRules() {
        return this == CURRENT ? EndpointRules.CURRENT : EndpointRules.V1_20.withDualStack(true);
    }

    EventCorrelatorOptions eventOptions() {
        return this == CURRENT ? EventCorrelatorOptions.CURRENT : EventCorrelatorOptions.DEFAULT;
    }

    /** Returns the configuration for ReplicaSets and for ReplicationControllers, which never count terminating pods. */
    ReplicaSetControllerConfig replicaSetConfig() {
        boolean current = this == CURRENT;
        return ReplicaSetControllerConfig.DEFAULT
                .withTerminatingReplicas(current)
                .withLogarithmicScaleDown(current);
    }
}

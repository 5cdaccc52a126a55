package io.kubeloop.controller.replicaset;

/**
 * How the controller works.
 *
 * @param burstReplicas how many pods one sync creates or deletes at most; default 500, as upstream
 * @param parallelWrites how many writes of pods are under way at once at most, over all workers; default 64
 */
public record ReplicaSetControllerConfig(int burstReplicas, int parallelWrites) {

    /** The defaults. */
    public static final ReplicaSetControllerConfig DEFAULT = new ReplicaSetControllerConfig(500, 64);

    /** Checks that both are at least 1. */
    public ReplicaSetControllerConfig {
        if (burstReplicas < 1 || parallelWrites < 1) {
            throw new IllegalArgumentException("burstReplicas and parallelWrites must be at least 1, got "
                    + burstReplicas + " and " + parallelWrites);
        }
    }
}

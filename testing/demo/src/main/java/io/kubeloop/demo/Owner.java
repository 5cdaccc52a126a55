/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object that has pods, directly or through objects that it owns.
 *
 * @param kind its kind
 * @param metadata its metadata
 * @param wanted the number of pods that it requests
 * @param reportedReady the number of ready pods in its status; of completed ones for a Job
 * @param observed whether the status is of the current generation
 * @param reported the number of pods in its status; null for a kind that is the controller of its pods
 */
record Owner(
        String kind,
        ObjectMeta metadata,
        int wanted,
        int reportedReady,
        boolean observed,
        @Nullable Integer reported) {

    /** The kinds, each with the function that reads its objects. */
    static final List<Reader<?>> KINDS = List.of(
            new Reader<>(
                    ResourceTypes.REPLICA_SETS,
                    set -> direct(
                            "ReplicaSet",
                            set.metadata(),
                            orOne(set.spec().replicas()),
                            set.status().readyReplicas(),
                            set.status().observedGeneration())),
            new Reader<>(
                    ResourceTypes.REPLICATION_CONTROLLERS,
                    controller -> direct(
                            "ReplicationController",
                            controller.metadata(),
                            orOne(controller.spec().replicas()),
                            controller.status().readyReplicas(),
                            controller.status().observedGeneration())),
            new Reader<>(
                    ResourceTypes.STATEFUL_SETS,
                    set -> direct(
                            "StatefulSet",
                            set.metadata(),
                            orOne(set.spec().replicas()),
                            set.status().readyReplicas(),
                            set.status().observedGeneration())),
            new Reader<>(
                    ResourceTypes.DAEMON_SETS,
                    set -> direct(
                            "DaemonSet",
                            set.metadata(),
                            set.status().desiredNumberScheduled(),
                            set.status().numberReady(),
                            set.status().observedGeneration())),
            new Reader<>(
                    ResourceTypes.DEPLOYMENTS,
                    deployment -> new Owner(
                            "Deployment",
                            deployment.metadata(),
                            orOne(deployment.spec().replicas()),
                            Math.min(
                                    deployment.status().updatedReplicas(),
                                    deployment.status().availableReplicas()),
                            deployment.status().observedGeneration()
                                    >= deployment.metadata().generation(),
                            deployment.status().replicas())),
            new Reader<>(ResourceTypes.JOBS, Owner::ofJob),
            new Reader<>(ResourceTypes.CRON_JOBS, cron -> {
                int active = cron.status().active().size();
                return new Owner("CronJob", cron.metadata(), active, active, true, active);
            }));

    /** Reads the objects of one kind. */
    record Reader<T extends KubeObject>(ResourceType<T> type, Function<T, Owner> read) {}

    private static Owner direct(String kind, ObjectMeta metadata, int wanted, int ready, long observedGeneration) {
        return new Owner(kind, metadata, wanted, ready, observedGeneration >= metadata.generation(), null);
    }

    /** A Job without a number of completions requests as many pods as run in parallel. */
    private static Owner ofJob(Job job) {
        Integer completions = job.spec().completions();
        return new Owner(
                "Job",
                job.metadata(),
                completions == null ? orOne(job.spec().parallelism()) : completions,
                job.status().succeeded(),
                job.isFinished(),
                job.status().active() + job.status().succeeded());
    }

    /** Returns the name of the controller that acts on an object of a kind. */
    static String controllerOf(String kind) {
        return kind.equals("ReplicationController") ? "Replication controller" : kind + " controller";
    }

    /** Returns the name of the controller that acts on it. */
    String controller() {
        return controllerOf(kind);
    }

    /** Returns whether its pods name it as their controller. */
    boolean controlsPods() {
        return reported == null;
    }

    private static int orOne(@Nullable Integer replicas) {
        return Objects.requireNonNullElse(replicas, 1);
    }
}

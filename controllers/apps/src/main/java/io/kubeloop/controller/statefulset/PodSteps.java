/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetSpec;
import io.kubeloop.api.apps.StatefulSetUpdateStrategy;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.parallel.ParallelCalls;
import io.kubeloop.controller.parallel.SlowStartBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a set's pods in one sync: wanted pods are created and repaired, condemned pods are deleted, then old
 * pods are deleted for the update (upstream: {@code updateStatefulSet}).
 *
 * <p>In order means that a step which has to wait ends the sync. With parallel pod management every pod takes its step,
 * and no step waits.
 *
 * <p>Serves one sync on one thread. {@link #run} blocks.
 */
final class PodSteps {

    /** The names of the labels of the metrics of a set. */
    static final String[] LABELS = {"statefulset_namespace", "statefulset_name", "pod_management_policy"};

    /** The values of the last label. */
    static final List<String> POLICIES = List.of("OrderedReady", StatefulSetSpec.PARALLEL);

    static final ControllerMetric UNAVAILABLE = ControllerMetric.gauge(
            "statefulset_controller_statefulset_unavailable_replicas", "Wanted pods that are unavailable", LABELS);

    private final StatefulSet set;
    private final SetRevisions revisions;
    private final SetPods pods;
    private final Instant now;
    private final StatefulPodControl control;

    private final boolean isOrdered;
    private final @Nullable Pod firstUnavailable;
    private int deletedForUpdate;

    /** Creates the steps of one sync. */
    PodSteps(StatefulSet set, SetRevisions revisions, SetPods pods, Instant now, StatefulPodControl control) {
        this.set = set;
        this.revisions = revisions;
        this.pods = pods;
        this.now = now;
        this.control = control;
        isOrdered = !set.spec().podManagementPolicy().equals(StatefulSetSpec.PARALLEL);
        firstUnavailable = pods.firstUnavailable(set.spec().minReadySeconds(), now);
    }

    /**
     * Takes the steps.
     *
     * @throws RuntimeException the first failure
     */
    void run() {
        boolean waits = set.metadata().isDeleting()
                || forEach(pods.wanted(), this::keep)
                || forEach(pods.condemned(), this::keepClaims)
                || forEach(pods.condemned(), this::remove);
        if (!waits && !set.spec().updateStrategy().type().equals(StatefulSetUpdateStrategy.ON_DELETE)) {
            replaceOld();
        }
    }

    /** The step of a sync for one pod. */
    private interface Step {

        /** Does it, and returns whether the pods after this one must wait. */
        boolean take(Pod pod);
    }

    /** Returns whether a step ended the sync. */
    private boolean forEach(List<Pod> targets, Step step) {
        if (isOrdered) {
            return targets.stream().anyMatch(step::take);
        }
        AtomicInteger next = new AtomicInteger();
        ParallelCalls.Result result = SlowStartBatch.run(
                targets.size(),
                SlowStartBatch.INITIAL_BATCH_SIZE,
                control.executor(),
                () -> step.take(targets.get(next.getAndIncrement())));
        if (result.error() != null) {
            throw result.error();
        }
        return false;
    }

    /** Creates a wanted pod, or replaces it if it has ended, or repairs it. Returns whether the next pod must wait. */
    private boolean keep(Pod pod) {
        if (pod.isFinished()) {
            // Its phase depends on exit codes, not on why it ended. The next sync creates the successor.
            if (!pod.metadata().isDeleting()) {
                control.delete(set, pod);
            }
            return true;
        }
        if (!StatefulPods.isCreated(pod)) {
            if (!control.claims().areOfEarlierPod(set, pod)) {
                control.create(set, pod);
            }
            return true;
        }
        if (pod.status().phase().equals(PodStatus.PENDING)) {
            control.createMissingClaims(set, pod);
        }
        if (isOrdered
                && (SetPods.isUnavailable(pod, set.spec().minReadySeconds(), now)
                        || !StatefulPods.isRunningAndReady(pod))) {
            return true;
        }
        if (!StatefulPods.hasIdentity(set, pod)
                || !StatefulPods.hasStorage(set, pod)
                || !control.claims().haveOwners(set, pod)) {
            control.update(set, pod);
        }
        return false;
    }

    private boolean keepClaims(Pod pod) {
        if (!control.claims().haveOwners(set, pod)) {
            control.claims().updateOwners(set, pod);
        }
        return false;
    }

    /**
     * Deletes a condemned pod. In order, an unavailable pod holds up the deletion of all others, because it may be the
     * one that needs their help.
     */
    private boolean remove(Pod pod) {
        if (pod.metadata().isDeleting()) {
            return true;
        }
        boolean isHealthy = StatefulPods.isRunningAndReady(pod)
                && Pods.isPodAvailable(pod, set.spec().minReadySeconds(), now);
        if (isHealthy || !isOrdered || pod == firstUnavailable) {
            control.delete(set, pod);
        }
        return true;
    }

    /**
     * Deletes old pods, the highest ordinal first, as long as fewer than the allowed number are unavailable. With
     * parallel pod management, old pods that are unavailable go first and count as they are.
     */
    private void replaceOld() {
        List<Pod> wanted = pods.wanted();
        int unavailable = (int) wanted.stream().filter(this::isUnavailable).count();
        control.metrics().record(UNAVAILABLE, unavailable, labels(set));
        int budget = SetPods.maxUnavailable(set) - unavailable;
        List<Pod> old = new ArrayList<>();
        for (int i = wanted.size() - 1; i >= SetPods.partition(set); i--) {
            Pod pod = wanted.get(i);
            if (!StatefulPods.revision(pod).equals(revisions.updateName())
                    && !pod.metadata().isDeleting()) {
                old.add(pod);
            }
        }
        if (!isOrdered) {
            old.stream().filter(this::isUnavailable).forEach(this::replace);
            old.removeIf(this::isUnavailable);
        }
        old.stream().limit(Math.max(0, budget)).forEach(this::replace);
    }

    private boolean isUnavailable(Pod pod) {
        return SetPods.isUnavailable(pod, set.spec().minReadySeconds(), now);
    }

    private void replace(Pod pod) {
        control.delete(set, pod);
        deletedForUpdate++;
    }

    /** Returns the number of pods that were deleted for the update; they are not of the current revision any more. */
    int deletedForUpdate() {
        return deletedForUpdate;
    }

    /** Returns the labels of the metrics of a set. */
    static String[] labels(StatefulSet set) {
        return new String[] {
            set.metadata().namespace(), set.metadata().name(), set.spec().podManagementPolicy()
        };
    }
}

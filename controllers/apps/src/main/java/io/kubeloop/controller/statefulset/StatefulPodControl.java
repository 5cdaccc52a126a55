/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Creates, updates and deletes the pods of sets, and records an event for each (upstream: {@code StatefulPodControl}).
 *
 * <p>Thread-safe for different pods. Every method that writes blocks.
 */
final class StatefulPodControl {

    /** The maximum number of attempts to update a pod or a claim that others change at the same time. */
    static final int TRIES = 4;

    private final ResourceClient<Pod> client;
    private final ChildWrites<Pod> writes;
    private final VolumeClaims claims;
    private final EventRecorder events;
    private final Executor executor;
    private final ControllerMetrics metrics;

    /**
     * Creates a control.
     *
     * @param executor runs the writes of sets with parallel pod management
     * @param metrics receives the metrics of a sync
     */
    StatefulPodControl(
            ResourceClient<Pod> client,
            ChildWrites<Pod> writes,
            VolumeClaims claims,
            EventRecorder events,
            Executor executor,
            ControllerMetrics metrics) {
        this.client = client;
        this.writes = writes;
        this.claims = claims;
        this.events = events;
        this.executor = executor;
        this.metrics = metrics;
    }

    /** Returns the executor of the writes of sets with parallel pod management. */
    Executor executor() {
        return executor;
    }

    ControllerMetrics metrics() {
        return metrics;
    }

    /** Returns the claims of the pods. */
    VolumeClaims claims() {
        return claims;
    }

    /**
     * Creates a pod after its claims.
     *
     * @throws RuntimeException if the pod or a claim could not be created
     */
    void create(StatefulSet set, Pod pod) {
        report("Create", set, pod, () -> claims.create(set, pod));
        RuntimeException failure = null;
        try {
            writes.create(set.objectName(), pod);
        } catch (RuntimeException e) {
            if (e instanceof ApiException refused && refused.isAlreadyExists()) {
                throw e;
            }
            failure = e;
        }
        report("Update", set, pod, () -> claims.updateOwners(set, pod));
        record("Create", set, pod, failure);
        if (failure != null) {
            throw failure;
        }
    }

    /** Creates the claims that a pod lacks, such as one that was deleted before the pod was scheduled. */
    void createMissingClaims(StatefulSet set, Pod pod) {
        claims.create(set, pod);
        report("Update", set, pod, () -> claims.updateOwners(set, pod));
    }

    /**
     * Sets the identity and the volumes of a pod, and creates the claims.
     *
     * @throws RuntimeException if a write failed, also if others changed the pod {@value #TRIES} times meanwhile
     */
    void update(StatefulSet set, Pod pod) {
        Pod seen = pod;
        for (int tries = 1; ; tries++) {
            Pod changed = StatefulPods.hasIdentity(set, seen) ? seen : StatefulPods.withIdentity(seen);
            if (!StatefulPods.hasStorage(set, changed)) {
                changed = StatefulPods.withStorage(set, changed);
                report("Update", set, pod, () -> claims.create(set, pod));
            }
            report("Update", set, pod, () -> claims.updateOwners(set, pod));
            try {
                writes.update(set.objectName(), changed);
                record("Update", set, pod, null);
                return;
            } catch (RuntimeException e) {
                if (tries == TRIES || !(e instanceof ApiException refused && refused.isConflict())) {
                    record("Update", set, pod, e);
                    throw e;
                }
                seen = writes.read(set.objectName(), pod.objectName());
            }
        }
    }

    /**
     * Deletes a pod. One that no longer exists counts as deleted.
     *
     * @throws RuntimeException if the server rejects the deletion
     */
    void delete(StatefulSet set, Pod pod) {
        String uid = pod.metadata().uid();
        try {
            // Its successor has the same name. The UID prevents the deletion of that pod if the cache lags.
            DeleteOptions options = new DeleteOptions(null, null, uid, null);
            writes.delete(set.objectName(), pod, () -> client.delete(pod.objectName(), options));
        } catch (RuntimeException e) {
            if (!(e instanceof ApiException refused) || !(refused.isNotFound() || refused.isConflict())) {
                record("Delete", set, pod, e);
                throw e;
            }
        }
        record("Delete", set, pod, null);
    }

    private void report(String verb, StatefulSet set, Pod pod, Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            record(verb, set, pod, e);
            throw e;
        }
    }

    private void record(String verb, StatefulSet set, Pod pod, @Nullable RuntimeException failure) {
        String what = verb + " Pod " + pod.metadata().name() + " in StatefulSet "
                + set.metadata().name();
        if (failure == null) {
            event(set, EventType.NORMAL, "Successful" + verb, what + " successful");
        } else {
            event(set, EventType.WARNING, "Failed" + verb, what + " failed error: " + Errors.text(failure));
        }
    }

    private void event(StatefulSet set, String type, String reason, String message) {
        events.event(ResourceTypes.STATEFUL_SETS, set, type, reason, message);
    }
}

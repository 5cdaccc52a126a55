/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.OwnWrites;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.expectations.UidTrackingControllerExpectations;
import io.kubeloop.controller.parallel.ParallelCalls;
import io.kubeloop.controller.parallel.SlowStartBatch;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing pods and deletes surplus ones (upstream: {@code manageReplicas}).
 *
 * <p>It sets expectations before its writes; events lower them, and so does each write that fails, because no event
 * follows it. Thread-safe for different keys. {@link #manageReplicas} blocks.
 */
final class ReplicaManager<T extends KubeObject> {

    // Invariant: no creation raises the number of the owner's pods above the wanted number, because
    //   (a) one worker at a time syncs a key, and it waits for the response to each write;
    //   (b) a sync begins only when the cache has processed the versions of all earlier writes (WriteBarrier);
    //   (c) after a write with an unknown outcome, the pods are listed from the server (ChildWrites).
    // Called by workers. `expectations` and `createFailures` are shared with the handlers.

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaManager.class);

    private final ReplicaSetSync.Caches<T> caches;
    private final OwnedPods<T> pods;
    private final UidTrackingControllerExpectations expectations;
    private final PerOwnerThrottle createFailures;
    private final DeletionOrder<T> deletionOrder;
    private final Executor writes;
    private final int burstReplicas;

    ReplicaManager(
            ReplicaSetSync.Caches<T> caches,
            OwnedPods<T> pods,
            UidTrackingControllerExpectations expectations,
            PerOwnerThrottle createFailures,
            DeletionOrder<T> deletionOrder,
            Executor writes,
            int burstReplicas) {
        this.caches = caches;
        this.pods = pods;
        this.expectations = expectations;
        this.createFailures = createFailures;
        this.deletionOrder = deletionOrder;
        this.writes = writes;
        this.burstReplicas = burstReplicas;
    }

    /**
     * Returns whether pods may be created and deleted (upstream: {@code SatisfiedExpectations}). Once the cache has
     * caught up with all writes, an event that is still expected was skipped: its pod came and went while no watch was
     * open. Upstream waits for five minutes then.
     */
    boolean needsSync(ObjectName key, OwnWrites writes) {
        if (writes == OwnWrites.CAUGHT_UP) {
            expectations.deleteExpectations(key);
        }
        return expectations.isSatisfied(key);
    }

    /** Drops all records of a key whose owner no longer exists. */
    void forget(ObjectName key) {
        expectations.deleteExpectations(key);
        createFailures.end(key);
    }

    /**
     * Creates or deletes pods towards the wanted number. Blocks until every write has its response.
     *
     * @param active the owner's active pods
     * @return the first failure, or null
     */
    @Nullable
    RuntimeException manageReplicas(ReplicaView<T> owner, List<Pod> active) {
        int diff = active.size() - owner.replicas();
        if (diff < 0) {
            return create(owner, Math.min(-diff, burstReplicas));
        }
        createFailures.end(owner.key());
        return diff == 0
                ? null
                : delete(owner, deletionOrder.podsToDelete(owner, active, Math.min(diff, burstReplicas)));
    }

    private @Nullable RuntimeException create(ReplicaView<T> owner, int count) {
        ObjectName key = owner.key();
        LOG.debug("{} {}: creating {} pods", caches.kind().type(), key, count);
        expectations.expectCreations(key, count);
        Runnable creation = pods.creation(owner);
        ParallelCalls.Result result = SlowStartBatch.run(count, SlowStartBatch.INITIAL_BATCH_SIZE, writes, () -> {
            try {
                creation.run();
            } catch (RuntimeException e) {
                // A retry in a terminating namespace cannot succeed; the namespace's deletion removes this owner too.
                if (!Errors.isNamespaceTerminating(e)) {
                    throw e;
                }
            }
        });
        int notCreated = count - result.successes();
        if (notCreated > 0) {
            expectations.creationsObserved(key, notCreated);
        }
        if (result.successes() == 0 && result.error() != null) {
            createFailures.begin(key);
        } else {
            createFailures.end(key);
        }
        return result.error();
    }

    private @Nullable RuntimeException delete(ReplicaView<T> owner, List<Pod> victims) {
        LOG.debug("{} {}: deleting {} pods", caches.kind().type(), owner.key(), victims.size());
        expectations.expectDeletions(
                owner.key(), victims.stream().map(Pods::podKey).toList());
        List<Runnable> deletions =
                victims.stream().<Runnable>map(pod -> () -> delete(owner, pod)).toList();
        return ParallelCalls.run(deletions, writes).error();
    }

    private void delete(ReplicaView<T> owner, Pod pod) {
        try {
            pods.delete(owner, pod);
        } catch (RuntimeException e) {
            // The cache may never show this deletion: it failed, or had happened before.
            expectations.deletionObserved(owner.key(), Pods.podKey(pod));
            if (!(e instanceof ApiException refused && refused.isNotFound())) {
                throw e;
            }
        }
    }
}

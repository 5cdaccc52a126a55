/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.PreparedCreate;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ActivePodsWithRanks;
import io.kubeloop.controller.ControlleeExpectations;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.ParallelCalls;
import io.kubeloop.controller.PodControl;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.SlowStartBatch;
import io.kubeloop.controller.events.ObjectReferences;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing pods and deletes surplus ones (upstream: {@code manageReplicas}).
 *
 * <p>It sets expectations before its writes, and lowers them at once for each write that fails, because the cache
 * will never show that write. Thread-safe for different keys. {@link #manageReplicas} blocks.
 */
final class ReplicaManager<T extends KubeObject> {

    // Invariant: no creation raises the number of the owner's pods above the wanted number, because
    //   (a) one worker at a time syncs a key, and it waits for the response to each write;
    //   (b) pods are created only after the cache has shown all earlier ones, or after a list from the server;
    //   (c) a creation with an unknown outcome marks the key as doubtful: the next sync lists from the server;
    //   (d) pending creations are dropped only together with their owner (OwnerUidTracker).
    // Called by workers. `doubtful` and `settled` are concurrent; the worker that syncs a key owns its entries.

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaManager.class);

    private final ReplicaKind<T> kind;
    private final ReplicaCaches<T> caches;
    private final OwnerTracking tracking;
    private final PodControl podControl;
    private final DeletionAges deletionAges;
    private final Executor writes;
    private final int burstReplicas;
    private final Set<ObjectName> doubtful = ConcurrentHashMap.newKeySet();
    /** By key, the time of expectations that expired and that a list of the server has settled since. */
    private final ConcurrentMap<ObjectName, Instant> settled = new ConcurrentHashMap<>();

    ReplicaManager(
            ReplicaCaches<T> caches,
            OwnerTracking tracking,
            PodControl podControl,
            DeletionAges deletionAges,
            Executor writes,
            int burstReplicas) {
        this.kind = caches.kind();
        this.caches = caches;
        this.tracking = tracking;
        this.podControl = podControl;
        this.deletionAges = deletionAges;
        this.writes = writes;
        this.burstReplicas = burstReplicas;
    }

    /**
     * Returns whether the pods must be listed from the server: the outcome of a creation is unknown, or expectations
     * have expired.
     */
    boolean isDoubtful(ObjectName key) {
        return doubtful.contains(key) || hasExpired(key);
    }

    private boolean hasExpired(ObjectName key) {
        ControlleeExpectations expected = tracking.expectations().get(key);
        return expected != null
                && tracking.expectations().isExpired(key)
                && !expected.timestamp().equals(settled.get(key));
    }

    /**
     * Records the result of a list from the server. Expired expectations stay, as upstream's do, but cause no further
     * list: they delay nothing, and pods that the cache lacks are tracked by name.
     */
    void settle(ObjectName key, CacheLag lag) {
        doubtful.remove(key);
        ControlleeExpectations expected = tracking.expectations().get(key);
        if (expected != null && tracking.expectations().isExpired(key)) {
            settled.put(key, expected.timestamp());
        }
        tracking.pending().reset(key, lag.unseen());
    }

    /** Drops all records of a key whose owner no longer exists. */
    void forget(ObjectName key) {
        doubtful.remove(key);
        settled.remove(key);
        tracking.createFailures().forget(key);
    }

    /**
     * Creates or deletes pods towards the wanted number. Blocks until every write has its response.
     *
     * @param active the owner's active pods
     * @param lag the known difference between cache and server; empty unless the pods were listed from the server
     * @return the first failure, or null
     */
    @Nullable
    RuntimeException manageReplicas(ReplicaView<T> owner, List<Pod> active, CacheLag lag) {
        int diff = active.size() - owner.replicas();
        if (diff < 0) {
            return create(owner, Math.min(-diff, burstReplicas), lag);
        }
        tracking.createFailures().forget(owner.key());
        if (diff > 0) {
            return delete(owner, podsToDelete(owner, active, Math.min(diff, burstReplicas)), lag);
        }
        if (!lag.ghosts().isEmpty()) {
            tracking.expectations().expectDeletions(owner.key(), lag.ghosts());
        }
        return null;
    }

    private @Nullable RuntimeException create(ReplicaView<T> owner, int count, CacheLag lag) {
        ObjectName key = owner.key();
        LOG.debug("{} {}: creating {} pods", kind.type(), key, count);
        ObjectReference regarding = ObjectReferences.of(kind.type(), owner.object());
        OwnerReference controllerRef = ControllerRefs.newControllerRef(kind.type(), owner.object());
        if (lag.ghosts().isEmpty()) {
            tracking.expectations().expectCreations(key, count);
        } else {
            tracking.expectations().setExpectations(key, count, lag.ghosts());
        }
        PreparedCreate creation = podControl.podCreation(owner.namespace(), owner.template(), regarding, controllerRef);
        ParallelCalls.Result result = SlowStartBatch.run(count, SlowStartBatch.INITIAL_BATCH_SIZE, writes, () -> {
            try {
                tracking.pending().created(key, creation.create());
            } catch (RuntimeException e) {
                if (isOutcomeUnknown(e)) {
                    doubtful.add(key);
                }
                // A retry in a terminating namespace cannot succeed; the namespace's deletion removes this owner too.
                if (!Errors.isNamespaceTerminating(e)) {
                    throw e;
                }
            }
        });
        int notCreated = count - result.successes();
        if (notCreated > 0) {
            tracking.expectations().creationsObserved(key, notCreated);
        }
        if (result.successes() == 0 && result.error() != null) {
            tracking.createFailures().refused(key);
        } else {
            tracking.createFailures().forget(key);
        }
        return result.error();
    }

    private @Nullable RuntimeException delete(ReplicaView<T> owner, List<Pod> victims, CacheLag lag) {
        ObjectName key = owner.key();
        LOG.debug("{} {}: deleting {} pods", kind.type(), key, victims.size());
        ObjectReference regarding = ObjectReferences.of(kind.type(), owner.object());
        Set<ObjectName> expected = new HashSet<>(lag.ghosts());
        victims.forEach(pod -> expected.add(Pods.podKey(pod)));
        tracking.expectations().expectDeletions(key, expected);
        List<Runnable> deletions = victims.stream()
                .<Runnable>map(pod -> () -> delete(key, Pods.podKey(pod), regarding))
                .toList();
        return ParallelCalls.run(deletions, writes).error();
    }

    private void delete(ObjectName key, ObjectName pod, ObjectReference regarding) {
        try {
            podControl.deletePod(pod, regarding);
        } catch (RuntimeException e) {
            // The cache may never show this deletion: it failed, or had happened before.
            tracking.expectations().deletionObserved(key, pod);
            if (!(e instanceof ApiException refused && refused.isNotFound())) {
                throw e;
            }
        }
    }

    /** Returns the pods to delete. The ranking is skipped when all are deleted. */
    private List<Pod> podsToDelete(ReplicaView<T> owner, List<Pod> active, int count) {
        if (count == active.size()) {
            return active;
        }
        Map<String, Integer> onNode = RelatedPods.countByNode(owner, caches);
        List<Pod> ordered = ActivePodsWithRanks.inDeletionOrder(
                active,
                pod -> onNode.getOrDefault(pod.spec().nodeName(), 0),
                deletionAges.clock().instant());
        deletionAges.record(ordered, count);
        return ordered.subList(0, count);
    }

    /** Returns whether a creation that failed with this error may have succeeded on the server. */
    private static boolean isOutcomeUnknown(RuntimeException e) {
        if (e instanceof ApiException refused) {
            return refused.code() >= 500 && !Errors.isGeneratedNameTaken(e);
        }
        return !(e instanceof TransportException broken) || broken.kind() != TransportException.Kind.CONNECT;
    }
}

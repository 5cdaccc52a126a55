package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Creation;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Pod;
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
 * Creates the pods that are missing, deletes those that are too many (upstream: {@code manageReplicas}).
 *
 * <p>Before the writes it sets what it expects to see in the cache; each write that fails lowers that at once, since nothing
 * will come of it.
 */
final class ReplicaManager<T extends KubeObject> {

    // Invariant I9: a creation never brings the owner's pods above what was asked for. It holds since
    //   (a) a key is synced by one worker at a time, which waits for the answer to each of its writes;
    //   (b) pods are created only when the cache has shown all that were created before, or from the server's own list;
    //   (c) a creation whose outcome is not known makes the key doubtful: the next sync asks the server;
    //   (d) what the cache has yet to show is forgotten only with the owner it was created for (OwnerUidTracker).
    // Called by workers. `doubtful` and `settled` are concurrent; an entry belongs to whoever syncs that key.

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaManager.class);

    private final ReplicaKind<T> kind;
    private final ReplicaCaches<T> caches;
    private final OwnerTracking tracking;
    private final PodControl podControl;
    private final DeletionOrder deletionOrder;
    private final Executor writes;
    private final int burstReplicas;
    private final Set<ObjectName> doubtful = ConcurrentHashMap.newKeySet();
    /** By key, the time of expectations that expired and that a list of the server has settled since. */
    private final ConcurrentMap<ObjectName, Instant> settled = new ConcurrentHashMap<>();

    ReplicaManager(
            ReplicaCaches<T> caches,
            OwnerTracking tracking,
            PodControl podControl,
            DeletionOrder deletionOrder,
            Executor writes,
            int burstReplicas) {
        this.kind = caches.kind();
        this.caches = caches;
        this.tracking = tracking;
        this.podControl = podControl;
        this.deletionOrder = deletionOrder;
        this.writes = writes;
        this.burstReplicas = burstReplicas;
    }

    /**
     * Returns whether only the server can tell what exists: the outcome of a creation for the key is unknown, or something was
     * expected for so long that it may never be shown.
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
     * Takes note of what the server has. What had expired stays recorded, as upstream has it, and is not asked about again: it
     * holds nobody back, and what is missing from the cache is waited for by name.
     */
    void settle(ObjectName key, CacheLag lag) {
        doubtful.remove(key);
        ControlleeExpectations expected = tracking.expectations().get(key);
        if (expected != null && tracking.expectations().isExpired(key)) {
            settled.put(key, expected.timestamp());
        }
        tracking.pending().reset(key, lag.unseen());
    }

    /** Forgets the key: it is gone. */
    void forget(ObjectName key) {
        doubtful.remove(key);
        settled.remove(key);
        tracking.createFailures().forget(key);
    }

    /**
     * Brings the number of pods nearer to what is wanted. Blocks until every write has been answered.
     *
     * @param active the owner's active pods
     * @param lag by what the cache is known to lag; nothing unless the pods came from the server
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
        Creation creation = podControl.podCreation(owner.namespace(), owner.template(), regarding, controllerRef);
        ParallelCalls.Result result = SlowStartBatch.run(count, SlowStartBatch.INITIAL_BATCH_SIZE, writes, () -> {
            try {
                tracking.pending().created(key, creation.create());
            } catch (RuntimeException e) {
                if (isOutcomeUnknown(e)) {
                    doubtful.add(key);
                }
                // Trying again in a namespace that is going away is of no use; its deletion will end this owner too.
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
            // The cache may never show this deletion: it did not happen, or had happened before.
            tracking.expectations().deletionObserved(key, pod);
            if (!(e instanceof ApiException refused && refused.isNotFound())) {
                throw e;
            }
        }
    }

    /** Returns whom to delete; the ranking is spared when nobody stays. */
    private List<Pod> podsToDelete(ReplicaView<T> owner, List<Pod> active, int count) {
        if (count == active.size()) {
            return active;
        }
        Map<String, Integer> onNode = RelatedPods.countByNode(owner, caches);
        return deletionOrder
                .sort(active, pod -> onNode.getOrDefault(pod.spec().nodeName(), 0))
                .subList(0, count);
    }

    /** Returns whether a creation that failed so may have been carried out all the same. */
    private static boolean isOutcomeUnknown(RuntimeException e) {
        if (e instanceof ApiException refused) {
            return refused.code() >= 500 && !Errors.isGeneratedNameTaken(e);
        }
        return !(e instanceof TransportException broken) || broken.kind() != TransportException.Kind.CONNECT;
    }
}

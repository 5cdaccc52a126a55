/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ControllerExpectations;
import io.kubeloop.controller.Pods;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one owner: claims its pods, creates or deletes pods, writes the status (upstream: {@code syncReplicaSet}).
 *
 * <p>In two cases the cache may be wrong, and the pods are listed from the server, unlike upstream: when expectations
 * have expired, and when the outcome of a creation is unknown. Each case costs at most one list of the namespace's
 * pods.
 *
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
final class ReplicaSetSync<T extends KubeObject> {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaSetSync.class);

    /** The delay after which all present expectations have expired. */
    static final Duration GIVE_UP_WAITING = ControllerExpectations.TIMEOUT.plusSeconds(1);

    private final ReplicaKind<T> kind;
    private final ReplicaCaches<T> caches;
    private final OwnerTracking tracking;
    private final PodClaims claims;
    private final ReplicaManager<T> replicas;
    private final StatusWriter<T> statusWriter;
    private final DelayingQueue<ObjectName> queue;
    private final Clock clock;

    ReplicaSetSync(
            ReplicaCaches<T> caches,
            OwnerTracking tracking,
            PodClaims claims,
            ReplicaManager<T> replicas,
            StatusWriter<T> statusWriter,
            DelayingQueue<ObjectName> queue,
            Clock clock) {
        this.kind = caches.kind();
        this.caches = caches;
        this.tracking = tracking;
        this.claims = claims;
        this.replicas = replicas;
        this.statusWriter = statusWriter;
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Syncs one owner. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; the caller must retry the key
     */
    void syncReplicaSet(ObjectName key) {
        T cached = caches.owners().get(key);
        if (cached == null) {
            LOG.debug("{} {} does not exist any more", kind.type(), key);
            tracking.uids().end(key);
            replicas.forget(key);
            statusWriter.forget(key);
            return;
        }
        tracking.uids().begin(key, cached.metadata().uid());
        ReplicaView<T> owner = statusWriter.latest(cached);
        if (owner.object() != cached) { // the last one written, not the cached one
            tracking.stale().accept(kind.type());
        }
        Selector selector;
        try {
            selector = owner.selector();
        } catch (InvalidSelectorException e) {
            // A retry cannot succeed; a change of the owner queues it again.
            LOG.error(
                    "Cannot sync {} {}, its selector is invalid; correct the selector: {}",
                    kind.type(),
                    key,
                    e.getMessage());
            return;
        }
        sync(owner, selector);
    }

    private void sync(ReplicaView<T> owner, Selector selector) {
        ObjectName key = owner.key();
        String uid = owner.metadata().uid();
        // Checked before the cache is read: an event that arrives later may not be in what was read.
        PendingCreations.State created = tracking.pending().check(key, caches.pods());
        boolean isStale = !tracking.expectations().isSatisfied(key) || created == PendingCreations.State.WAITING;
        if (isStale) {
            tracking.stale().accept(ResourceTypes.PODS);
        }
        boolean mayAct = !isStale && !owner.metadata().isDeleting();
        boolean mustAskServer = mayAct && (created == PendingCreations.State.EXPIRED || replicas.isDoubtful(key));

        List<Pod> cached = candidates(owner, caches.pods().candidates(owner.namespace(), uid));
        List<Pod> candidates = mustAskServer ? listLive(owner) : claims.latest(cached);
        List<Pod> active = claims.claim(
                kind.type(),
                owner.object(),
                selector,
                candidates.stream().filter(Pods::isPodActive).toList());
        CacheLag lag = CacheLag.UNKNOWN;
        if (mustAskServer) {
            // A pod that was adopted from the server's list counts as unseen too.
            lag = CacheLag.between(active, candidates, cached, uid);
            replicas.settle(key, lag);
        }

        RuntimeException error = mayAct ? replicas.manageReplicas(owner, active, lag) : null;
        Instant now = clock.instant();
        Integer terminating = kind.countsTerminating() ? terminating(candidates, uid, selector) : null;
        ReplicaSetStatus status = ReplicaSetStatuses.calculateStatus(owner, active, terminating, error, now);
        Duration later = statusWriter.writeInTime(owner, status);
        if (!later.isZero()) {
            queue.addAfter(key, later);
        }
        if (error != null) {
            throw error;
        }
        checkAgainWhenAvailable(owner, active, status, now);
        if (!mayAct && !owner.metadata().isDeleting()) {
            // The expected event may never arrive: a pod can be created and deleted while no watch is open.
            queue.addAfter(key, GIVE_UP_WAITING);
        }
    }

    private static int terminating(List<Pod> pods, String uid, Selector selector) {
        return (int) pods.stream()
                .filter(pod -> {
                    OwnerReference owner = pod.metadata().controller();
                    return Pods.isPodTerminating(pod)
                            && owner != null
                            && owner.uid().equals(uid)
                            && selector.matches(pod.metadata().labels());
                })
                .count();
    }

    private List<Pod> listLive(ReplicaView<T> owner) {
        LOG.info("{} {}: the cache may lag behind, listing the pods from the server", kind.type(), owner.key());
        return candidates(owner, caches.livePods().list(owner.namespace()));
    }

    /**
     * Returns the owner's pods and the orphans. The UID alone does not identify the owner's pods. A reference with
     * another name or kind never queues this owner, and the garbage collector treats its owner as deleted.
     */
    private List<Pod> candidates(ReplicaView<T> owner, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> {
                    OwnerReference ref = pod.metadata().controller();
                    return ref == null
                            || (ref.uid().equals(owner.metadata().uid())
                                    && ref.name().equals(owner.metadata().name())
                                    && ref.kind().equals(kind.type().kind()));
                })
                .toList();
    }

    /**
     * Queues the owner for the time at which the next ready pod becomes available, because the passage of time causes
     * no event. If only availability is missing, it also queues the owner after the minimum, for pods without the
     * time of their readiness.
     */
    private void checkAgainWhenAvailable(ReplicaView<T> owner, List<Pod> active, ReplicaSetStatus status, Instant now) {
        int minReadySeconds = owner.minReadySeconds();
        if (minReadySeconds <= 0) {
            return;
        }
        Instant next = Pods.nextAvailability(active, minReadySeconds, now);
        if (next != null) {
            queue.addAfter(owner.key(), Duration.between(clock.instant(), next));
        }
        if (status.readyReplicas() == owner.replicas() && status.availableReplicas() != owner.replicas()) {
            queue.addAfter(owner.key(), Duration.ofSeconds(minReadySeconds));
        }
    }
}

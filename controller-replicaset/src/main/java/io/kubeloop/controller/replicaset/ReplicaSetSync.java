/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.OwnWrites;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.pods.PodCache;
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
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
final class ReplicaSetSync<T extends KubeObject> {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaSetSync.class);

    /**
     * The cached objects that a controller of one kind reads. Every part is thread-safe.
     *
     * @param kind the kind of the owners
     * @param owners the cached owners
     * @param pods the cached pods
     */
    record Caches<T extends KubeObject>(ReplicaKind<T> kind, Lister<T> owners, PodCache pods) {}

    private final Caches<T> caches;
    private final WriteBarrier barrier;
    private final OwnedPods<T> pods;
    private final ReplicaManager<T> replicas;
    private final StatusWriter<T> statusWriter;
    private final DelayingQueue<ObjectName> queue;
    private final Clock clock;

    ReplicaSetSync(
            Caches<T> caches,
            WriteBarrier barrier,
            OwnedPods<T> pods,
            ReplicaManager<T> replicas,
            StatusWriter<T> statusWriter,
            DelayingQueue<ObjectName> queue,
            Clock clock) {
        this.caches = caches;
        this.barrier = barrier;
        this.pods = pods;
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
        OwnWrites writes = barrier.check(key);
        if (writes == OwnWrites.BEHIND) {
            LOG.debug(
                    "{} {}: the cache does not show the last writes yet",
                    caches.kind().type(),
                    key);
            return;
        }
        boolean needsSync = replicas.needsSync(key, writes);
        T object = caches.owners().get(key);
        if (object == null) {
            LOG.debug("{} {} does not exist any more", caches.kind().type(), key);
            barrier.forget(key);
            replicas.forget(key);
            statusWriter.forget(key);
            return;
        }
        ReplicaView<T> owner = caches.kind().view(object);
        Selector selector;
        try {
            selector = owner.selector();
        } catch (InvalidSelectorException e) {
            // A retry cannot succeed; a change of the owner queues it again.
            LOG.error(
                    "Cannot sync {} {}, its selector is invalid; correct the selector: {}",
                    caches.kind().type(),
                    key,
                    e.getMessage());
            return;
        }
        sync(owner, selector, needsSync);
    }

    private void sync(ReplicaView<T> owner, Selector selector, boolean needsSync) {
        List<Pod> candidates = pods.candidates(owner);
        List<Pod> active = pods.claim(
                owner, selector, candidates.stream().filter(Pods::isPodActive).toList());
        boolean mayAct = needsSync && !owner.metadata().isDeleting();
        RuntimeException error = mayAct ? replicas.manageReplicas(owner, active) : null;

        Instant now = clock.instant();
        Integer terminating = caches.kind().countsTerminating()
                ? terminating(candidates, owner.metadata().uid(), selector)
                : null;
        ReplicaSetStatus status = ReplicaSetStatuses.calculateStatus(owner, active, terminating, error, now);
        Duration later = statusWriter.writeInTime(owner, status);
        if (!later.isZero()) {
            queue.addAfter(owner.key(), later);
        }
        if (error != null) {
            throw error;
        }
        checkAgainWhenAvailable(owner, active, status, now);
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetStatus;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one set: creates and deletes pods, takes one step of the rolling update, and writes the status (upstream:
 * {@code syncDaemonSet}).
 *
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
final class DaemonSetSync {

    private static final Logger LOG = LoggerFactory.getLogger(DaemonSetSync.class);

    /** A pod that became ready is checked so much later than it can become available. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /**
     * The cached sets and nodes.
     *
     * @param sets all sets
     * @param nodes all nodes
     */
    record Caches(Lister<DaemonSet> sets, Lister<Node> nodes) {}

    private final Caches caches;
    private final WriteBarrier.Owners<DaemonSet> owners;
    private final DaemonHistory history;
    private final DaemonPodControl control;
    private final NodePods nodePods;
    private final PodPlacement placement = new PodPlacement();
    private final RateLimitingQueue<ObjectName> queue;
    private final Clock clock;

    DaemonSetSync(
            Caches caches,
            WriteBarrier.Owners<DaemonSet> owners,
            DaemonHistory history,
            DaemonPodControl control,
            NodePods nodePods,
            RateLimitingQueue<ObjectName> queue,
            Clock clock) {
        this.caches = caches;
        this.owners = owners;
        this.history = history;
        this.control = control;
        this.nodePods = nodePods;
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Syncs one set. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; the caller must retry the key
     */
    void syncDaemonSet(ObjectName key) {
        if (owners.isBehind(key)) {
            LOG.debug("DaemonSet {}: the cache does not show the last writes yet", key);
            return;
        }
        DaemonSet set = caches.sets().get(key);
        if (set == null) {
            LOG.debug("DaemonSet {} does not exist any more", key);
            owners.forget(key);
            placement.forget(key);
            return;
        }
        LabelSelector labels = set.spec().selector();
        Selector selector;
        try {
            selector = labels == null ? Selector.NOTHING : LabelSelectors.of(labels);
        } catch (InvalidSelectorException e) {
            // A retry cannot succeed; a change of the set queues it again.
            LOG.error("Cannot sync DaemonSet {}, its selector is invalid: {}", key, e.getMessage());
            return;
        }
        if (selector.isEmpty()) {
            nodePods.refuse(set);
        } else if (!set.metadata().isDeleting()) {
            // The revisions of a set that is being deleted may be gone before its pods, so nothing can be
            // computed.
            sync(set, selector);
        }
    }

    private void sync(DaemonSet set, Selector selector) {
        Instant now = clock.instant();
        DaemonHistory.Found found = history.find(set, selector);
        List<Pod> pods = history.removeDuplicates(set, found, control.claim(set, selector));
        DaemonView view = DaemonView.of(set, found.hash(), caches.nodes().list(), placement.byNode(set, pods), now);
        RuntimeException failure = null;
        try {
            changePods(view);
            history.cleanUp(set, found.old(), pods);
        } catch (RuntimeException e) {
            failure = e;
        }
        try {
            updateStatus(view);
        } catch (RuntimeException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** A rolling update waits until each fitting node has its pod, and no other node has one. */
    private void changePods(DaemonView view) {
        DaemonSet set = view.set();
        DaemonPodPlan plan = nodePods.plan(view, delay -> queue.addAfter(set.objectName(), delay));
        if (plan.isEmpty() && RolloutNumbers.isRolling(set)) {
            plan = RollingReplacement.plan(view);
        }
        if (!plan.isEmpty()) {
            control.carryOut(set, view.hash(), plan);
        }
    }

    private void updateStatus(DaemonView view) {
        DaemonSet set = view.set();
        DaemonSetStatus status = DaemonSetStatuses.of(view);
        if (!status.equals(set.status())) {
            owners.updateStatus(set.withStatus(status));
        }
        int minReady = set.spec().minReadySeconds();
        if (minReady > 0 && status.numberReady() != status.numberAvailable()) {
            List<Pod> pods = view.pods().values().stream().flatMap(List::stream).toList();
            Instant next = Pods.nextAvailability(pods, minReady, view.now());
            queue.addAfter(
                    set.objectName(), next == null ? Duration.ofSeconds(minReady) : Duration.between(view.now(), next));
        }
    }

    /** Handles an update of a pod: a pod that became ready becomes available later. */
    void podUpdated(DaemonSet owner, Pod old, Pod current) {
        int minReady = owner.spec().minReadySeconds();
        if (minReady > 0 && !old.isReady() && current.isReady()) {
            queue.addAfter(owner.objectName(), Duration.ofSeconds(minReady).plus(MARGIN));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.history.RevisionHistory;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one set: claims its pods, changes them step by step, and writes the status (upstream: {@code
 * StatefulSetController.sync} and {@code UpdateStatefulSet}).
 *
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
final class StatefulSetSync {

    private static final Logger LOG = LoggerFactory.getLogger(StatefulSetSync.class);

    private static final ControllerMetric MAX_UNAVAILABLE = ControllerMetric.gauge(
            "statefulset_controller_statefulset_max_unavailable",
            "Pods that may be unavailable during an update",
            PodSteps.LABELS);

    private final Lister<StatefulSet> sets;
    private final WriteBarrier.Owners<StatefulSet> owners;
    private final PodClaimant claimant;
    private final RevisionHistory<StatefulSet> history;
    private final StatefulPodControl control;
    private final RateLimitingQueue<ObjectName> queue;
    private final Clock clock;

    StatefulSetSync(
            Lister<StatefulSet> sets,
            WriteBarrier.Owners<StatefulSet> owners,
            PodClaimant claimant,
            RevisionHistory<StatefulSet> history,
            StatefulPodControl control,
            RateLimitingQueue<ObjectName> queue,
            Clock clock) {
        this.sets = sets;
        this.owners = owners;
        this.claimant = claimant;
        this.history = history;
        this.control = control;
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Syncs one set. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; the caller must retry the key
     */
    void syncStatefulSet(ObjectName key) {
        if (owners.isBehind(key)) {
            LOG.debug("StatefulSet {}: the cache does not show the last writes yet", key);
            return;
        }
        StatefulSet set = sets.get(key);
        if (set == null) {
            LOG.debug("StatefulSet {} does not exist any more", key);
            owners.forget(key);
            PodSteps.POLICIES.forEach(policy -> {
                control.metrics().forget(MAX_UNAVAILABLE, key.namespace(), key.name(), policy);
                control.metrics().forget(PodSteps.UNAVAILABLE, key.namespace(), key.name(), policy);
            });
            return;
        }
        LabelSelector labels = set.spec().selector();
        Selector selector;
        try {
            selector = labels == null ? Selector.NOTHING : LabelSelectors.of(labels);
        } catch (InvalidSelectorException e) {
            // A retry cannot succeed; a change of the set queues it again.
            LOG.error("Cannot sync StatefulSet {}, its selector is invalid: {}", key, e.getMessage());
            return;
        }
        sync(set, selector);
    }

    private void sync(StatefulSet set, Selector selector) {
        Instant now = clock.instant();
        SetRevisions revisions = SetRevisions.find(history, set, selector);
        List<Pod> pods = claimant.claim(set, selector);
        SetPods byOrdinal = SetPods.of(set, revisions, pods);
        RuntimeException failure = null;
        PodSteps steps = new PodSteps(set, revisions, byOrdinal, now, control);
        try {
            steps.run();
        } catch (RuntimeException e) {
            failure = e;
        }
        List<Pod> counted = set.metadata().isDeleting() ? pods : byOrdinal.all();
        StatefulSetStatus status = StatefulSetStatuses.of(set, revisions, counted, steps.deletedForUpdate(), now);
        control.metrics().record(MAX_UNAVAILABLE, SetPods.maxUnavailable(set), PodSteps.labels(set));
        if (StatefulSetStatuses.differs(set.status(), status)) {
            failure = attempt(failure, () -> owners.updateStatus(set.withStatus(status)));
        }
        failure = attempt(failure, () -> revisions.truncate(history, set, pods));
        if (failure != null) {
            throw failure;
        }
        syncAgain(set, status, pods, now);
    }

    /** Does a part of the sync that does not depend on the parts before; returns the first failure. */
    private static @Nullable RuntimeException attempt(@Nullable RuntimeException failure, Runnable part) {
        try {
            part.run();
            return failure;
        } catch (RuntimeException e) {
            if (failure == null) {
                return e;
            }
            failure.addSuppressed(e);
            return failure;
        }
    }

    /** Queues the set for the time at which the next pod becomes available. */
    private void syncAgain(StatefulSet set, StatefulSetStatus status, List<Pod> pods, Instant now) {
        int minReady = set.spec().minReadySeconds();
        if (minReady > 0 && status.readyReplicas() != status.availableReplicas()) {
            Instant next = Pods.nextAvailability(pods, minReady, now);
            queue.addAfter(set.objectName(), next == null ? Duration.ofSeconds(minReady) : Duration.between(now, next));
        }
    }

    /** Handles an update of a pod: a pod that became ready becomes available later. */
    void podUpdated(StatefulSet owner, Pod old, Pod current) {
        int minReady = owner.spec().minReadySeconds();
        if (minReady > 0 && !old.isReady() && current.isReady()) {
            queue.addAfter(owner.objectName(), Duration.ofSeconds(minReady));
        }
    }
}

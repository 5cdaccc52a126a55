/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.DeploymentStrategy;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one deployment: claims its ReplicaSets, scales them, and writes the status (upstream: {@code syncDeployment}).
 *
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
final class DeploymentSync {

    private static final Logger LOG = LoggerFactory.getLogger(DeploymentSync.class);

    private final Lister<Deployment> deployments;
    private final ReplicaSetClaims claims;
    private final DeploymentWrites writes;
    private final EventRecorder events;
    private final RateLimitingQueue<ObjectName> queue;

    private final ReplicaSetScaler scaler;
    private final NewReplicaSets newSets;
    private final RollingUpdate rolling;
    private final HistoryCleanup history;
    private final Rollback rollback;
    private final ProgressReport report;

    DeploymentSync(
            Lister<Deployment> deployments,
            ReplicaSetClaims claims,
            DeploymentWrites writes,
            EventRecorder events,
            RateLimitingQueue<ObjectName> queue,
            Clock clock) {
        this.deployments = deployments;
        this.claims = claims;
        this.writes = writes;
        this.events = events;
        this.queue = queue;
        scaler = new ReplicaSetScaler(writes, events);
        newSets = new NewReplicaSets(writes, scaler, events, clock);
        rolling = new RollingUpdate(scaler);
        history = new HistoryCleanup(writes);
        rollback = new Rollback(writes, events);
        report = new ProgressReport(writes, clock);
    }

    /**
     * Syncs one deployment. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; the caller must retry the key
     */
    void syncDeployment(ObjectName key) {
        if (writes.deployments().isBehind(key)) {
            LOG.debug("Deployment {}: the cache does not show the last writes yet", key);
            return;
        }
        Deployment deployment = deployments.get(key);
        if (deployment == null) {
            LOG.debug("Deployment {} does not exist any more", key);
            writes.deployments().forget(key);
            return;
        }
        LabelSelector labels = deployment.spec().selector();
        Selector selector;
        try {
            selector = LabelSelectors.of(labels == null ? LabelSelector.EMPTY : labels);
        } catch (InvalidSelectorException e) {
            // A retry cannot succeed; a change of the deployment queues it again.
            LOG.error("Cannot sync Deployment {}, its selector is invalid: {}", key, e.getMessage());
            return;
        }
        if (selector.isEmpty()) {
            refuse(deployment);
            return;
        }
        List<ReplicaSet> sets = claims.claim(deployment, selector);
        if (deployment.metadata().isDeleting()) {
            report.writeStatus(newSets.sync(Rollout.of(deployment, sets), false));
        } else {
            sync(Rollout.of(report.writePause(deployment), sets), selector);
        }
    }

    /** A deployment that selects every pod of its namespace would take over the pods of others. */
    private void refuse(Deployment deployment) {
        events.event(
                ResourceTypes.DEPLOYMENTS,
                deployment,
                EventType.WARNING,
                "SelectingAll",
                "This deployment is selecting all pods. A non-empty selector is required.");
        long generation = deployment.metadata().generation();
        if (deployment.status().observedGeneration() < generation) {
            writes.deployments()
                    .updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                            .observedGeneration(generation)
                            .build()));
        }
    }

    private void sync(Rollout rollout, Selector selector) {
        Deployment deployment = rollout.deployment();
        if (deployment.spec().paused()) {
            scale(newSets.sync(rollout, false));
            return;
        }
        Long revision = Rollback.requested(deployment);
        if (revision != null) {
            rollback.run(newSets.sync(rollout, true), revision);
            return;
        }
        Rollout numbered = newSets.sync(rollout, false);
        if (wasScaled(numbered)) {
            scale(numbered);
        } else if (deployment.spec().strategy().type().equals(DeploymentStrategy.RECREATE)) {
            recreate(numbered, selector);
        } else {
            roll(newSets.sync(numbered, true));
        }
    }

    /**
     * Returns whether somebody has changed the wanted number since a ReplicaSet was scaled (upstream: {@code
     * isScalingEvent}).
     */
    private static boolean wasScaled(Rollout rollout) {
        List<ReplicaSet> active = Rollout.active(rollout.all());
        if (active.size() == 1
                && active.get(0) != rollout.newSet()
                && Rollout.replicas(active.get(0)) == rollout.replicas()) {
            // Upstream waits here indefinitely: it does not write the wanted number to a ReplicaSet of this size.
            return false;
        }
        return active.stream()
                .map(Revisions::desired)
                .filter(Objects::nonNull)
                .anyMatch(desired -> desired != rollout.replicas());
    }

    /**
     * Scales a deployment that is paused or whose wanted number has changed (upstream: {@code sync} and {@code scale}).
     */
    private void scale(Rollout rollout) {
        ReplicaSet only = activeOrLatest(rollout);
        if (only != null) {
            scaler.scale(only, rollout.replicas(), rollout.deployment());
        } else if (isSaturated(rollout)) {
            rollout.activeOldSets().forEach(set -> scaler.scale(set, 0, rollout.deployment()));
        } else if (rollout.deployment().spec().strategy().type().equals(DeploymentStrategy.ROLLING_UPDATE)) {
            ProportionalScaling.sizes(rollout)
                    .forEach((set, size) -> scaler.scaleAndRecordSizes(set, size, rollout.deployment()));
        }
        if (rollout.deployment().spec().paused()) {
            history.run(rollout);
        }
        report.writeStatus(rollout);
    }

    /**
     * Returns the only ReplicaSet that wants pods; the newest one if none does; null if several do or there are none.
     */
    private static @Nullable ReplicaSet activeOrLatest(Rollout rollout) {
        List<ReplicaSet> active = Rollout.active(rollout.all());
        if (active.size() == 1) {
            return active.get(0);
        }
        if (!active.isEmpty()) {
            return null;
        }
        ReplicaSet newSet = rollout.newSet();
        return newSet != null
                ? newSet
                : rollout.oldSets().stream().max(Rollout.BY_AGE).orElse(null);
    }

    private static boolean isSaturated(Rollout rollout) {
        ReplicaSet newSet = rollout.newSet();
        Integer desired = newSet == null ? null : Revisions.desired(newSet);
        return newSet != null
                && desired != null
                && desired == rollout.replicas()
                && Rollout.replicas(newSet) == rollout.replicas()
                && newSet.status().availableReplicas() == rollout.replicas();
    }

    /** Takes one step of a rolling update. */
    private void roll(Rollout rollout) {
        if (!rolling.step(rollout)) {
            cleanUpWhenComplete(rollout);
        }
        reportProgress(rollout);
    }

    /** Deletes every old pod, waits until all are gone, then creates the new ones (upstream: {@code recreate.go}). */
    private void recreate(Rollout rollout, Selector selector) {
        Deployment deployment = rollout.deployment();
        List<ReplicaSet> active = rollout.activeOldSets();
        active.forEach(set -> scaler.scale(set, 0, deployment));
        boolean hasOldPods = Rollout.existing(rollout.oldSets()) > 0
                || !claims.runningPods(deployment, selector, rollout.oldSets()).isEmpty();
        if (!active.isEmpty() || hasOldPods) {
            reportProgress(rollout);
            return;
        }
        Rollout created = newSets.sync(rollout, true);
        scaler.scale(Objects.requireNonNull(created.newSet()), created.replicas(), created.deployment());
        cleanUpWhenComplete(created);
        reportProgress(created);
    }

    private void cleanUpWhenComplete(Rollout rollout) {
        Deployment deployment = rollout.deployment();
        if (DeploymentStatuses.isComplete(deployment, deployment.status())) {
            history.run(rollout);
        }
    }

    private void reportProgress(Rollout rollout) {
        Duration delay = report.writeProgress(rollout);
        ObjectName key = rollout.deployment().objectName();
        if (delay == null) {
            return;
        }
        if (delay.isZero()) {
            queue.addRateLimited(key);
        } else {
            queue.addAfter(key, delay);
        }
    }
}

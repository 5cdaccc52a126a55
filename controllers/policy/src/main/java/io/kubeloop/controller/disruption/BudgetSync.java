/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.policy.PodDisruptionBudget;
import io.kubeloop.api.policy.PodDisruptionBudgetStatus;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one budget (upstream: {@code trySync}).
 *
 * <p>Thread-safe for different budgets; one worker at a time syncs a budget. Blocks while it writes, and while it reads
 * the scale of an owner.
 */
final class BudgetSync {

    /** The time after which a pod whose eviction was allowed counts again if it was not deleted: 2 min. */
    static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

    /**
     * The time after which a pod that was created in the second of an eviction counts as the successor of the evicted
     * pod, which the server deletes at once: 5 s.
     */
    static final Duration REPLACEMENT_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(BudgetSync.class);

    private final DisruptionCaches caches;
    private final ExpectedPods expected;
    private final ResourceClient<PodDisruptionBudget> budgets;
    private final EventRecorder events;
    private final DelayingQueue<ObjectName> queue;
    private final Clock clock;

    BudgetSync(
            DisruptionCaches caches,
            ExpectedPods expected,
            ResourceClient<PodDisruptionBudget> budgets,
            EventRecorder events,
            DelayingQueue<ObjectName> queue,
            Clock clock) {
        this.caches = caches;
        this.expected = expected;
        this.budgets = budgets;
        this.events = events;
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Computes the budget's status, and writes it if it differs. If that is impossible, it writes that no disruption is
     * allowed.
     *
     * @throws RuntimeException if the server rejected the write or did not respond; the caller must retry the key
     */
    void sync(ObjectName name) {
        PodDisruptionBudget budget = caches.budgets().get(name);
        if (budget == null) {
            return;
        }
        try {
            trySync(budget);
        } catch (RuntimeException e) {
            if (e instanceof ApiException refused && refused.isConflict()) {
                throw e;
            }
            LOG.warn("Cannot compute budget {}, so it allows no disruption: {}", name, e.toString());
            budgets.updateStatus(budget.withStatus(
                    BudgetStatuses.failed(budget.status(), Errors.text(e), new Time(clock.instant()))));
        }
    }

    private void trySync(PodDisruptionBudget budget) {
        List<Pod> pods = podsOf(budget);
        if (pods.isEmpty()) {
            event(budget, EventType.NORMAL, "NoPods", "No matching pods found");
        }
        Needs needs = needs(budget, pods);
        Instant now = clock.instant();
        Map<String, String> disrupted = new TreeMap<>();
        Instant recheck = stillDisrupted(budget, pods, now, disrupted);
        PodDisruptionBudgetStatus status = BudgetStatuses.of(
                budget, healthy(pods, disrupted), needs.healthy(), needs.expected(), disrupted, new Time(now));
        if (!BudgetStatuses.isUpToDate(budget, status)) {
            budgets.updateStatus(budget.withStatus(status));
        }
        if (recheck != null) {
            queue.addAfter(budget.objectName(), Duration.between(now, recheck));
        }
    }

    private List<Pod> podsOf(PodDisruptionBudget budget) {
        try {
            Selector selector = LabelSelectors.of(budget.spec().selector());
            return caches.pods()
                    .list(
                            budget.metadata().namespace(),
                            pod -> selector.matches(pod.metadata().labels()));
        } catch (InvalidSelectorException e) {
            event(budget, EventType.WARNING, "NoPods", "Failed to get pods: " + e.getMessage());
            throw e;
        }
    }

    /** The pods that a budget counts, and how many of them must stay healthy. */
    private record Needs(int expected, int healthy) {}

    private Needs needs(PodDisruptionBudget budget, List<Pod> pods) {
        IntOrString most = budget.spec().maxUnavailable();
        IntOrString least = budget.spec().minAvailable();
        if (most == null && (least == null || !least.isText())) {
            return least == null ? new Needs(0, 0) : new Needs(pods.size(), least.number());
        }
        try {
            ExpectedPods.Count count = expected.of(pods);
            int healthy = 0;
            if (most != null) {
                healthy = Math.max(0, count.number() - most.scaled(count.number(), true));
            } else if (least != null) {
                healthy = least.scaled(count.number(), true);
            }
            if (count.hasUnmanaged()) {
                event(
                        budget,
                        EventType.WARNING,
                        "UnmanagedPods",
                        "Pods selected by this PodDisruptionBudget (selector: "
                                + LabelSelectors.goText(budget.spec().selector())
                                + ") were found to be unmanaged. As a result, the status of the PDB cannot be "
                                + "calculated correctly, which may result in undefined behavior. To account for these "
                                + "pods please set \".spec.minAvailable\" field of the PDB to an integer value.");
            }
            return new Needs(count.number(), healthy);
        } catch (RuntimeException e) {
            event(
                    budget,
                    EventType.WARNING,
                    "CalculateExpectedPodCountFailed",
                    "Failed to calculate the number of expected pods: " + Errors.text(e));
            throw e;
        }
    }

    /**
     * Copies the disrupted pods that are still expected to be deleted.
     *
     * @return the time at which the first of them counts again; null if there are none
     */
    private @Nullable Instant stillDisrupted(
            PodDisruptionBudget budget, List<Pod> pods, Instant now, Map<String, String> result) {
        Instant first = null;
        for (Pod pod : pods) {
            String since = budget.status().disruptedPods().get(pod.metadata().name());
            if (since == null || pod.metadata().isDeleting()) {
                continue;
            }
            Instant evicted = Time.parse(since).instant();
            Time created = pod.metadata().creationTimestamp();
            boolean isOlder = created == null || created.instant().isBefore(evicted);
            Instant end = evicted.plus(isOlder ? DELETION_TIMEOUT : REPLACEMENT_TIMEOUT);
            if (created != null
                    && !isOlder
                    && (created.instant().isAfter(evicted.plusSeconds(1)) || end.isBefore(now))) {
                continue; // another pod has the name now, as in a stateful set: the evicted one is gone
            }
            if (end.isBefore(now)) {
                // Upstream prints the namespace twice.
                events.event(
                        ResourceTypes.PODS,
                        pod,
                        EventType.WARNING,
                        "NotDeleted",
                        "Pod was expected by PDB " + budget.metadata().namespace() + "/"
                                + budget.metadata().namespace() + " to be deleted but it wasn't");
            } else {
                result.put(pod.metadata().name(), since);
                first = first == null || end.isBefore(first) ? end : first;
            }
        }
        return first;
    }

    private static int healthy(List<Pod> pods, Map<String, String> disrupted) {
        return (int) pods.stream()
                .filter(pod -> !pod.metadata().isDeleting()
                        && !disrupted.containsKey(pod.metadata().name())
                        && pod.isReady())
                .count();
    }

    private void event(PodDisruptionBudget budget, String type, String reason, String message) {
        events.event(ResourceTypes.POD_DISRUPTION_BUDGETS, budget, type, reason, message);
    }
}

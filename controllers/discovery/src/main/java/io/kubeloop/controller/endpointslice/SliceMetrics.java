/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records the metrics of a controller that writes slices (upstream: {@code k8s.io/endpointslice/metrics}, and package
 * {@code metrics} of the mirroring controller). Thread-safe.
 */
final class SliceMetrics {

    /* Gauges are recorded under the lock, so the last change is the last value. */

    /** The endpoints and slices of an owner in one address family. */
    private record Usage(int endpoints, int slices, int idealSlices) {}

    private final ControllerMetrics metrics;
    private final int maxEndpoints;
    private final ControllerMetric added;
    private final ControllerMetric updated;
    private final ControllerMetric removed;
    private final ControllerMetric skipped;
    private final ControllerMetric seconds;
    private final ControllerMetric endpoints;
    private final ControllerMetric slices;
    private final ControllerMetric idealSlices;
    private final ControllerMetric changes;
    private final ControllerMetric changesPerSync;
    private final ControllerMetric syncs;
    private final ControllerMetric distributions;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectName, Map<String, Usage>> usages = new HashMap<>();

    @GuardedBy("lock")
    private final Map<ObjectName, String> distributionOf = new HashMap<>();

    /** The number of services by distribution. A distribution that is no longer used keeps its entry, with zero. */
    @GuardedBy("lock")
    private final Map<String, Integer> services = new TreeMap<>();

    /** The sums over all usages. */
    @GuardedBy("lock")
    private Usage total = new Usage(0, 0, 0);

    /**
     * Creates the metrics of a controller.
     *
     * @param prefix the begin of their names, such as {@code endpoint_slice_controller_}
     * @param maxEndpoints the most endpoints in a slice
     * @param metrics receives them
     */
    SliceMetrics(String prefix, int maxEndpoints, ControllerMetrics metrics) {
        this.metrics = metrics;
        this.maxEndpoints = maxEndpoints;
        added = perSync(prefix + "endpoints_added_per_sync", "Endpoints that a sync adds");
        updated = perSync(prefix + "endpoints_updated_per_sync", "Endpoints that a sync changes");
        removed = perSync(prefix + "endpoints_removed_per_sync", "Endpoints that a sync removes");
        skipped = perSync(prefix + "addresses_skipped_per_sync", "Addresses that are invalid or too many");
        seconds = ControllerMetric.histogram(prefix + "endpoints_sync_duration", "Seconds of a sync", 0.001, 15);
        endpoints = ControllerMetric.gauge(prefix + "endpoints_desired", "Endpoints of all slices");
        slices = ControllerMetric.gauge(prefix + "num_endpoint_slices", "EndpointSlices");
        idealSlices = ControllerMetric.gauge(
                prefix + "desired_endpoint_slices", "EndpointSlices if each but the last of its kind were full");
        changes = ControllerMetric.counter(prefix + "changes", "Writes of EndpointSlices", "operation");
        changesPerSync = ControllerMetric.histogram(
                prefix + "endpointslices_changed_per_sync",
                "EndpointSlices that a sync writes",
                "topology",
                "traffic_distribution");
        syncs = ControllerMetric.counter(prefix + "syncs", "Syncs of services by their result", "result");
        distributions = ControllerMetric.gauge(
                prefix + "services_count_by_traffic_distribution",
                "Services that set a trafficDistribution",
                "traffic_distribution");
    }

    private static ControllerMetric perSync(String name, String help) {
        return ControllerMetric.histogram(name, help, 2, 15);
    }

    /** Counts a sync; the result is {@code success}, {@code stale} or {@code error}. */
    void synced(String result) {
        metrics.record(syncs, 1, result);
    }

    /** Counts a sync by its duration. */
    void synced(Duration duration) {
        metrics.record(seconds, duration);
    }

    /** Counts a successful write; the operation is {@code create}, {@code update} or {@code delete}. */
    void wrote(String operation) {
        metrics.record(changes, 1, operation);
    }

    /** Counts the slices that a sync wrote. */
    void wroteInSync(int number, boolean isByTopology, @Nullable String distribution) {
        metrics.record(
                changesPerSync,
                number,
                isByTopology ? "Auto" : "Disabled",
                Objects.requireNonNullElse(distribution, ""));
    }

    /** Counts the endpoints that a plan adds and removes. */
    void planned(SlicePlan plan) {
        metrics.record(added, plan.added());
        metrics.record(removed, plan.removed());
    }

    /** Counts the endpoints that a plan of the mirroring controller changes, and the addresses that it leaves out. */
    void mirrored(SlicePlan plan, int left) {
        planned(plan);
        metrics.record(updated, plan.updated());
        metrics.record(skipped, left);
    }

    /**
     * Sets the numbers of an owner, for one address family or for all.
     *
     * @param groups the desired endpoints
     * @param number the number of slices after the sync
     * @param least the least number of slices that the owner needs
     */
    void use(ObjectName owner, String family, Collection<PortGroup> groups, int number, int least) {
        lock.lock();
        try {
            int desired =
                    groups.stream().mapToInt(group -> group.endpoints().size()).sum();
            int ideal = groups.stream()
                    .mapToInt(group -> (group.endpoints().size() + maxEndpoints - 1) / maxEndpoints)
                    .sum();
            Usage usage = new Usage(desired, number, Math.max(least, ideal));
            Usage before =
                    usages.computeIfAbsent(owner, unused -> new HashMap<>()).put(family, usage);
            add(usage, 1);
            if (before != null) {
                add(before, -1);
            }
            recordTotal();
        } finally {
            lock.unlock();
        }
    }

    /** Sets the distribution of a service; null if it has none. */
    void distribute(ObjectName service, @Nullable String distribution) {
        lock.lock();
        try {
            String before =
                    distribution == null ? distributionOf.remove(service) : distributionOf.put(service, distribution);
            if (before != null) {
                services.merge(before, -1, Integer::sum);
            }
            if (distribution != null) {
                services.merge(distribution, 1, Integer::sum);
            }
            services.forEach((value, number) -> metrics.record(distributions, number, value));
        } finally {
            lock.unlock();
        }
    }

    /** Drops an owner that is gone. */
    void forget(ObjectName owner) {
        lock.lock();
        try {
            Map<String, Usage> before = usages.remove(owner);
            if (before != null) {
                before.values().forEach(usage -> add(usage, -1));
                recordTotal();
            }
            distribute(owner, null);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void add(Usage usage, int sign) {
        total = new Usage(
                total.endpoints() + sign * usage.endpoints(),
                total.slices() + sign * usage.slices(),
                total.idealSlices() + sign * usage.idealSlices());
    }

    @GuardedBy("lock")
    private void recordTotal() {
        metrics.record(endpoints, total.endpoints());
        metrics.record(slices, total.slices());
        metrics.record(idealSlices, total.idealSlices());
    }
}

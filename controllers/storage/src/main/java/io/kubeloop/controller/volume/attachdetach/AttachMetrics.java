/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.volume.attachdetach.ActualState.OnNode;
import io.kubeloop.controller.volumes.VolumeSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The metrics of attachments, with upstream's names. Confined to the worker. */
final class AttachMetrics {

    private static final ControllerMetric OPERATIONS = new ControllerMetric(
            ControllerMetric.Type.HISTOGRAM,
            "storage_operation_duration_seconds",
            "Storage operation duration",
            List.of(.1, .25, .5, 1.0, 2.5, 5.0, 10.0, 15.0, 25.0, 50.0, 120.0, 300.0, 600.0),
            List.of("volume_plugin", "operation_name", "status", "migrated"));
    private static final ControllerMetric FORCED = ControllerMetric.counter(
            "attach_detach_controller_attachdetach_controller_forced_detaches",
            "Detachments of volumes that their nodes may still use",
            "reason");
    private static final ControllerMetric TOTAL = ControllerMetric.gauge(
            "attachdetach_controller_total_volumes", "Volumes by plug-in and state", "plugin_name", "state");
    private static final ControllerMetric IN_USE = ControllerMetric.gauge(
            "storage_count_attachable_volumes_in_use",
            "Volumes of pods by node and plug-in, as of the last pass over all pods",
            "node",
            "volume_plugin");

    private final ControllerMetrics metrics;
    private Map<List<String>, Integer> totals = Map.of();
    private Map<List<String>, Integer> uses = Map.of();

    AttachMetrics(ControllerMetrics metrics) {
        this.metrics = metrics;
    }

    private static String plugin(@Nullable VolumeSpec spec) {
        return spec == null ? "N/A" : spec.qualifiedPlugin();
    }

    void operation(PendingOperations.Kind kind, OnNode volume, boolean isSuccess, Duration duration) {
        boolean isMigrated = volume.spec() != null && volume.spec().isMigrated();
        metrics.record(
                OPERATIONS,
                duration,
                volume.spec() == null ? VolumeSpec.CSI : plugin(volume.spec()),
                kind.metric(),
                isSuccess ? "success" : "fail-unknown",
                String.valueOf(isMigrated));
    }

    /**
     * Counts a detachment of a volume that its node may still use.
     *
     * @param isTimeout whether the node is not ready for too long, rather than out of service
     */
    void forced(boolean isTimeout) {
        metrics.record(FORCED, 1, isTimeout ? "timeout" : "out-of-service");
    }

    void total(List<DesiredState.Wanted> desired, List<OnNode> actual) {
        Map<List<String>, Integer> counts = new HashMap<>();
        desired.forEach(
                wanted -> counts.merge(List.of(plugin(wanted.volume()), "desired_state_of_world"), 1, Integer::sum));
        actual.forEach(
                volume -> counts.merge(List.of(plugin(volume.spec()), "actual_state_of_world"), 1, Integer::sum));
        totals = replace(TOTAL, totals, counts);
    }

    void inUse(Map<List<String>, Integer> counts) {
        uses = replace(IN_USE, uses, counts);
    }

    private void set(ControllerMetric gauge, @Nullable Integer value, String... labels) {
        if (value == null) {
            metrics.forget(gauge, labels);
        } else {
            metrics.record(gauge, value, labels);
        }
    }

    private Map<List<String>, Integer> replace(
            ControllerMetric gauge, Map<List<String>, Integer> old, Map<List<String>, Integer> current) {
        Stream.concat(old.keySet().stream(), current.keySet().stream())
                .distinct()
                .forEach(labels -> set(gauge, current.get(labels), labels.toArray(String[]::new)));
        return current;
    }
}

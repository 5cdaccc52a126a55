/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gauges of the bound and unbound volumes or claims, with upstream's names (upstream: {@code
 * pkg/controller/volume/persistentvolume/metrics}). A series without objects is dropped. Confined to the thread of one
 * handler.
 */
final class BoundCounts {

    private static final ControllerMetric VOLUMES =
            ControllerMetric.gauge("pv_collector_total_pv_count", "Persistent volumes", "plugin_name", "volume_mode");
    private static final ControllerMetric BOUND_VOLUMES =
            ControllerMetric.gauge("pv_collector_bound_pv_count", "Bound persistent volumes", "storage_class");
    private static final ControllerMetric UNBOUND_VOLUMES =
            ControllerMetric.gauge("pv_collector_unbound_pv_count", "Unbound persistent volumes", "storage_class");
    private static final ControllerMetric BOUND_CLAIMS = ofClaims("pv_collector_bound_pvc_count", "Bound");
    private static final ControllerMetric UNBOUND_CLAIMS = ofClaims("pv_collector_unbound_pvc_count", "Unbound");

    /** The plug-ins of the original; it counts all other volumes under N/A. */
    private static final Map<String, String> PLUGINS =
            Map.of("hostPath", "kubernetes.io/host-path", "nfs", "kubernetes.io/nfs");

    private final ControllerMetrics metrics;
    private final Map<ObjectName, List<Series>> series = new HashMap<>();
    private final Map<Series, Integer> counts = new HashMap<>();

    private record Series(ControllerMetric gauge, List<String> labels) {}

    BoundCounts(ControllerMetrics metrics) {
        this.metrics = metrics;
    }

    private static ControllerMetric ofClaims(String name, String state) {
        return ControllerMetric.gauge(name, state + " claims", "namespace", "storage_class", "volume_attributes_class");
    }

    void put(Volume volume) {
        String plugin = PLUGINS.entrySet().stream()
                .filter(known -> volume.content().object("spec").has(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("N/A");
        boolean isBound = volume.phase().equals(Volume.BOUND);
        replace(
                volume.object().objectName(),
                List.of(
                        new Series(VOLUMES, List.of(plugin, volume.volumeMode())),
                        new Series(isBound ? BOUND_VOLUMES : UNBOUND_VOLUMES, List.of(volume.className()))));
    }

    void put(Claim claim) {
        boolean isBound = claim.phase().equals(Claim.BOUND);
        List<String> labels = List.of(claim.name().namespace(), claim.className(), claim.attributesClass());
        replace(claim.name(), List.of(new Series(isBound ? BOUND_CLAIMS : UNBOUND_CLAIMS, labels)));
    }

    /** Counts an object of either kind. */
    void put(Object object) {
        if (object instanceof PersistentVolumeClaim claim) {
            put(Claim.of(claim));
        } else if (object instanceof GenericObject volume) {
            put(Volume.of(volume));
        }
    }

    void remove(ObjectName name) {
        replace(name, List.of());
    }

    private void replace(ObjectName name, List<Series> current) {
        List<Series> former = current.isEmpty() ? series.remove(name) : series.put(name, current);
        if (current.equals(former)) {
            return;
        }
        current.forEach(one -> add(one, 1));
        if (former != null) {
            former.forEach(one -> add(one, -1));
        }
    }

    private void add(Series one, int difference) {
        int count = counts.merge(one, difference, Integer::sum);
        String[] labels = one.labels().toArray(String[]::new);
        if (count == 0) {
            counts.remove(one);
            metrics.forget(one.gauge(), labels);
        } else {
            metrics.record(one.gauge(), count, labels);
        }
    }
}

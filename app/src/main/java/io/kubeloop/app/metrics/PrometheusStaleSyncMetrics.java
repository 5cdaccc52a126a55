package io.kubeloop.app.metrics;

import io.kubeloop.api.ResourceType;
import io.kubeloop.controller.StaleSyncMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts stale syncs under upstream's names, one counter for each controller and the labels {@code group} and {@code resource}
 * (upstream: {@code stale_sync_skips_total} in the controllers' {@code metrics} packages). Thread-safe.
 */
public final class PrometheusStaleSyncMetrics implements StaleSyncMetrics {

    /** The counters by the name of the controller; upstream counts ReplicaSets and ReplicationControllers together. */
    private final Map<String, Counter> counters = new HashMap<>();

    public PrometheusStaleSyncMetrics(PrometheusRegistry registry) {
        Map.of("job", "Job", "daemonset", "DaemonSet", "statefulset", "StatefulSet", "replicaset", "ReplicaSet")
                .forEach((controller, kind) -> counters.put(
                        controller,
                        Counter.builder()
                                .name(controller + "_controller_stale_sync_skips_total")
                                .help(kind + " syncs that began with a stale watch cache; they use what was written")
                                .labelNames("group", "resource")
                                .register(registry)));
        counters.put("replicationcontroller", counters.get("replicaset"));
    }

    @Override
    public void staleSync(String controller, ResourceType<?> resource) {
        Counter counter = counters.get(controller);
        if (counter != null) {
            counter.labelValues(resource.group(), resource.plural()).inc();
        }
    }
}

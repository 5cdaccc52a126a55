package io.kubeloop.app.metrics;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.InformerMetrics;
import io.kubeloop.cache.InformerMetricsProvider;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Exports the metrics of informers under client-go's names where it has them (upstream: {@code
 * component-base/metrics/prometheus/clientgo}), one label {@code name}; the table is in {@code docs/informers.md}.
 * Thread-safe.
 */
public final class PrometheusInformerMetrics implements InformerMetricsProvider {

    private static final double[] SECONDS = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10};
    private static final double[] LIFETIMES = {1, 10, 60, 120, 300, 600};
    private static final double[] COUNTS = {1, 10, 100, 1_000, 10_000, 100_000};

    private final Map<String, Supplier<InformerHealth>> informers = new ConcurrentHashMap<>();
    private final PrometheusRegistry registry;
    private final Histogram listSeconds;
    private final Histogram itemsPerList;
    private final Histogram watchSeconds;
    private final Histogram itemsPerWatch;
    private final Histogram processing;

    public PrometheusInformerMetrics(PrometheusRegistry registry) {
        this.registry = registry;
        listSeconds = histogram("reflector_list_duration_seconds", "Seconds until a list was complete", SECONDS);
        itemsPerList = histogram("reflector_items_per_list", "Objects per list", COUNTS);
        watchSeconds = histogram("reflector_watch_duration_seconds", "Seconds until a watch ended", LIFETIMES);
        itemsPerWatch = histogram("reflector_items_per_watch", "Events per watch", COUNTS);
        processing = histogram(
                "informer_processing_latency_seconds",
                "Seconds to apply a batch of queued changes to the cache",
                SECONDS);
        counter("reflector_lists_total", "Lists requested", InformerHealth::lists);
        counter("reflector_watches_total", "Watches opened", InformerHealth::watches);
        counter("reflector_errors_total", "Failed lists, watches and transforms", InformerHealth::errors);
        gauge(
                "reflector_last_resource_version",
                "Last received resource version, its last 15 digits",
                health -> InformerHealth.versionMetric(health.lastSyncResourceVersion()));
        gauge(
                "reflector_last_event_age_seconds",
                "Seconds since the last response or event of the server",
                health -> health.lastEventAt() == null ? Double.NaN : secondsSince(health.lastEventAt()));
        gauge(
                "informer_store_resource_version",
                "Resource version of the last change in the cache, its last 15 digits",
                health -> InformerHealth.versionMetric(health.storeResourceVersion()));
        gauge("informer_objects", "Objects in the cache", InformerHealth::objects);
        gauge("informer_queued_items", "Entries between reflector and cache", InformerHealth::queued);
        gauge("informer_synced", "1 if the cache contains the whole first list", health -> health.synced() ? 1 : 0);
        handlerGauge(
                "informer_handler_pending_notifications",
                "Notifications pending for a handler",
                HandlerHealth::pending);
        handlerGauge("informer_handler_errors", "Calls of a handler that threw an exception", HandlerHealth::failed);
    }

    private static double secondsSince(Instant then) {
        return Seconds.of(Duration.between(then, Instant.now()));
    }

    private Histogram histogram(String name, String help, double[] bounds) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames("name")
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
    }

    private void counter(String name, String help, ToDoubleFunction<InformerHealth> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("name")
                .callback(callback -> informers.forEach(
                        (informer, health) -> callback.call(value.applyAsDouble(health.get()), informer)))
                .register(registry);
    }

    private void gauge(String name, String help, ToDoubleFunction<InformerHealth> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("name")
                .callback(callback -> informers.forEach(
                        (informer, health) -> callback.call(value.applyAsDouble(health.get()), informer)))
                .register(registry);
    }

    /** Adds up the values of handlers with the same name. */
    private void handlerGauge(String name, String help, ToDoubleFunction<HandlerHealth> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("name", "handler")
                .callback(callback -> informers.forEach((informer, health) -> health.get().handlers().stream()
                        .collect(Collectors.groupingBy(HandlerHealth::name, Collectors.summingDouble(value)))
                        .forEach((handler, sum) -> callback.call(sum, informer, handler))))
                .register(registry);
    }

    @Override
    public InformerMetrics register(ResourceType<?> type, String informer, Supplier<InformerHealth> health) {
        informers.put(informer, health);
        return new Series(informer, health);
    }

    /**
     * The series of one informer. They are looked up once, because an informer reports every event, and because a report after
     * {@link #close} must not bring a removed series back. The informers of custom resources come and go under ever new names.
     */
    private final class Series implements InformerMetrics {

        private final String informer;
        private final Supplier<InformerHealth> health;
        private final DistributionDataPoint listTook;
        private final DistributionDataPoint listHad;
        private final DistributionDataPoint watchTook;
        private final DistributionDataPoint watchHad;
        private final DistributionDataPoint processed;

        Series(String informer, Supplier<InformerHealth> health) {
            this.informer = informer;
            this.health = health;
            listTook = listSeconds.labelValues(informer);
            listHad = itemsPerList.labelValues(informer);
            watchTook = watchSeconds.labelValues(informer);
            watchHad = itemsPerWatch.labelValues(informer);
            processed = processing.labelValues(informer);
        }

        @Override
        public void listed(int objects, Duration took) {
            listTook.observe(Seconds.of(took));
            listHad.observe(objects);
        }

        @Override
        public void watched(long events, Duration lasted) {
            watchTook.observe(Seconds.of(lasted));
            watchHad.observe((double) events);
        }

        @Override
        public void processed(Duration took) {
            processed.observe(Seconds.of(took));
        }

        @Override
        public void close() {
            if (informers.remove(informer, health)) { // otherwise a new informer has the name
                for (Histogram of : List.of(listSeconds, itemsPerList, watchSeconds, itemsPerWatch, processing)) {
                    of.remove(informer);
                }
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Registers the metrics of informers, with the tag {@code name}; those of the cache also have {@code group}, {@code
 * version} and {@code resource}, as in client-go. Names are client-go's where it has them. The metrics of handlers have
 * the tag {@code handler} too; {@link #refreshHandlers} updates them. Thread-safe.
 */
public final class MicrometerInformerMetrics implements InformerMetricsProvider {

    private static final double[] SECONDS = {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    private static final double[] LIFETIMES = {1, 10, 60, 120, 300, 600};
    private static final double[] COUNTS = {1, 10, 100, 1_000, 10_000, 100_000};

    private final MeterRegistry registry;
    private final MultiGauge pending;
    private final MultiGauge failed;
    private final Map<String, Supplier<InformerHealth>> informers = new ConcurrentHashMap<>();

    /** Registers meters with the registry, one set for each informer; an informer that is closed removes its own. */
    public MicrometerInformerMetrics(MeterRegistry registry) {
        this.registry = registry;
        pending = MultiGauge.builder("informer.handler.pending.notifications")
                .description("Notifications pending for a handler")
                .register(registry);
        failed = MultiGauge.builder("informer.handler.errors")
                .description("Calls of a handler that threw an exception")
                .register(registry);
    }

    @Override
    public InformerMetrics register(ResourceType<?> type, String informer, Supplier<InformerHealth> health) {
        informers.put(informer, health);
        return new Series(type, Meters.ofOwner(registry, informer), informer, health);
    }

    /**
     * Updates the gauges of handlers, which come and go without a notification. Call it before the registry is read or
     * published. Handlers of the same name are added up; a sum of 0 has no gauge.
     */
    public void refreshHandlers() {
        pending.register(rows(HandlerHealth::pending), true);
        failed.register(rows(HandlerHealth::failed), true);
    }

    private List<MultiGauge.Row<?>> rows(ToDoubleFunction<HandlerHealth> value) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        informers.forEach((informer, health) -> health.get().handlers().stream()
                .collect(Collectors.groupingBy(HandlerHealth::name, Collectors.summingDouble(value)))
                .forEach((handler, sum) -> {
                    if (sum > 0) {
                        rows.add(MultiGauge.Row.of(Tags.of("name", informer, "handler", handler), sum));
                    }
                }));
        return rows;
    }

    /** The meters of one informer. It holds the state that the registry refers to weakly. */
    private final class Series implements InformerMetrics {

        private final Meters meters;
        private final Meters ofType;
        private final String informer;
        private final Supplier<InformerHealth> health;
        private final Timer listTook;
        private final DistributionSummary listHad;
        private final Timer watchTook;
        private final DistributionSummary watchHad;
        private final Timer processed;

        Series(ResourceType<?> type, Meters meters, String informer, Supplier<InformerHealth> health) {
            this.meters = meters;
            // Upstream makes the resource of the kind, as in endpointss and mutatingadmissionpolicys.
            ofType = meters.and(Tags.of(
                    "group",
                    type.group(),
                    "version",
                    type.version(),
                    "resource",
                    type.kind().toLowerCase(Locale.ROOT) + "s"));
            this.informer = informer;
            this.health = health;
            listTook = meters.timer("reflector.list.duration", "Time until a list was complete", SECONDS);
            listHad = meters.summary("reflector.items.per.list", "Objects per list", "", COUNTS);
            watchTook = meters.timer("reflector.watch.duration", "Time until a watch ended", LIFETIMES);
            watchHad = meters.summary("reflector.items.per.watch", "Events per watch", "", COUNTS);
            processed = ofType.timer(
                    "informer.processing.latency", "Time to apply a batch of queued changes to the cache", SECONDS);
            counter("reflector.lists", "Lists requested", InformerHealth::lists);
            counter("reflector.watches", "Watches opened", InformerHealth::watches);
            counter("reflector.errors", "Failed lists, watches and transforms", InformerHealth::errors);
            gauge(
                    "reflector.last.resource.version",
                    "Last received resource version, its last 15 digits",
                    state -> InformerHealth.versionMetric(state.lastSyncResourceVersion()));
            gauge(
                    "informer.store.resource.version",
                    "Resource version of the last change in the cache, its last 15 digits",
                    state -> InformerHealth.versionMetric(state.storeResourceVersion()));
            gauge("informer.objects", "Objects in the cache", InformerHealth::objects);
            gauge("informer.queued.items", "Entries between reflector and cache", InformerHealth::queued);
            gauge("informer.synced", "1 if the cache contains the whole first list", state -> state.synced() ? 1 : 0);
            meters.gauge(
                    "reflector.last.event.age",
                    "Time since the last response or event of the server",
                    "seconds",
                    health,
                    state -> secondsSince(state.get()));
        }

        private void counter(String name, String help, ToDoubleFunction<InformerHealth> value) {
            meters.counter(name, help, health, state -> value.applyAsDouble(state.get()));
        }

        private void gauge(String name, String help, ToDoubleFunction<InformerHealth> value) {
            Meters owner = name.startsWith("informer.") ? ofType : meters;
            owner.gauge(name, help, "", health, state -> value.applyAsDouble(state.get()));
        }

        private static double secondsSince(InformerHealth state) {
            Instant last = state.lastEventAt();
            return last == null
                    ? Double.NaN
                    : Duration.between(last, Instant.now()).toNanos() / 1e9;
        }

        @Override
        public void listed(int objects, Duration took) {
            listTook.record(took);
            listHad.record(objects);
        }

        @Override
        public void watched(long events, Duration lasted) {
            watchTook.record(lasted);
            watchHad.record((double) events);
        }

        @Override
        public void processed(Duration took) {
            processed.record(took);
        }

        @Override
        public void close() {
            informers.remove(informer, health); // not a new informer of the same name
            meters.close();
            ofType.close();
        }
    }
}

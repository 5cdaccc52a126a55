/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.cache.metrics.InformerTrace;
import io.kubeloop.demo.live.Passage.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** Observes informers for a live view, and passes their measurements on. Thread-safe. */
final class LiveInformers implements InformerMetricsProvider {

    private final LiveFeed feed;
    private final InformerMetricsProvider others;
    private final Map<String, Supplier<InformerHealth>> informers = new ConcurrentSkipListMap<>();

    LiveInformers(LiveFeed feed, InformerMetricsProvider others) {
        this.feed = feed;
        this.others = others;
    }

    /** Returns the state of the informers, in the order of their names. */
    List<InformerHealth> health() {
        return informers.values().stream().map(Supplier::get).toList();
    }

    @Override
    public InformerMetrics register(ResourceType<?> type, String informer, Supplier<InformerHealth> health) {
        informers.put(informer, health);
        return new Observed(informer, health, others.register(type, informer, health));
    }

    @Override
    public boolean traces() {
        return true;
    }

    private final class Observed implements InformerMetrics {

        private final String informer;
        private final Supplier<InformerHealth> health;
        private final InformerMetrics other;

        Observed(String informer, Supplier<InformerHealth> health, InformerMetrics other) {
            this.informer = informer;
            this.health = health;
            this.other = other;
        }

        @Override
        public void listed(int objects, Duration took) {
            feed.report(Stage.REFLECTOR, "listed", informer, objects + " objects", "");
            other.listed(objects, took);
        }

        @Override
        public void watched(long events, Duration lasted) {
            feed.report(Stage.REFLECTOR, "watch-ended", informer, events + " events", "");
            other.watched(events, lasted);
        }

        @Override
        public void processed(Duration took) {
            other.processed(took);
        }

        @Override
        public boolean isWatched() {
            return feed.isWatched();
        }

        @Override
        public void trace(InformerTrace trace) {
            String change = trace.change().name().toLowerCase(Locale.ROOT);
            String cause = trace.cause().name().toLowerCase(Locale.ROOT);
            Stage stage = switch (trace.place()) {
                case RECEIVED -> Stage.REFLECTOR;
                case STORED -> Stage.STORE;
                case CALLED, RETURNED, FAILED -> Stage.LISTENERS;
            };
            String kind = switch (trace.place()) {
                case RECEIVED, STORED, CALLED -> change;
                case RETURNED -> "returned";
                case FAILED -> "failed";
            };
            String by = trace.handler().isEmpty() ? cause : trace.handler() + " (" + cause + ")";
            feed.report(new Passage(stage, kind, informer, trace.name().toString(), trace.resourceVersion(), by));
        }

        @Override
        public void close() {
            informers.remove(informer, health);
            other.close();
        }
    }
}

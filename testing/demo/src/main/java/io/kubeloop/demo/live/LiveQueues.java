/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.demo.live.Passage.Stage;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueMetricsProvider;
import io.kubeloop.workqueue.QueueTransition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Observes work queues for a live view, and passes their measurements on. Thread-safe. */
final class LiveQueues implements QueueMetricsProvider {

    /** The key that the current thread processes, so a write can name its cause; null for none. */
    private static final ThreadLocal<@Nullable String> KEY = new ThreadLocal<>();

    private final LiveFeed feed;
    private final @Nullable QueueMetricsProvider others;
    private final Map<String, Observed> queues = new ConcurrentSkipListMap<>();

    LiveQueues(LiveFeed feed, @Nullable QueueMetricsProvider others) {
        this.feed = feed;
        this.others = others;
    }

    /** Returns queue and key that the current thread processes; empty for none. */
    static String currentKey() {
        String key = KEY.get();
        return key == null ? "" : key;
    }

    @Override
    public QueueMetrics register(String name, QueueGauges gauges) {
        Observed queue = new Observed(name, gauges, others == null ? null : others.register(name, gauges));
        queues.put(name, queue);
        return queue;
    }

    /** Returns the state of the queues, in the order of their names. */
    JsonArray json() {
        List<JsonValue> all = new ArrayList<>();
        queues.values().forEach(queue -> all.add(queue.json()));
        return JsonArray.of(all);
    }

    private final class Observed implements QueueMetrics {

        private final String name;
        private final QueueGauges gauges;
        private final @Nullable QueueMetrics other;
        private final LongAdder adds = new LongAdder();
        private final LongAdder takes = new LongAdder();
        private final LongAdder syncs = new LongAdder();
        private final LongAdder retries = new LongAdder();

        Observed(String name, QueueGauges gauges, @Nullable QueueMetrics other) {
            this.name = name;
            this.gauges = gauges;
            this.other = other;
        }

        JsonObject json() {
            long done = syncs.sum(); // read first, so no key counts as done before it was taken
            return JsonObject.EMPTY
                    .with("name", name)
                    .with("depth", gauges.depth())
                    .with("adds", adds.sum())
                    .with("busy", Math.max(0, takes.sum() - done))
                    .with("syncs", done)
                    .with("retries", retries.sum())
                    .with(
                            "unfinishedSeconds",
                            new JsonNumber(
                                    Double.toString(gauges.unfinishedWork().toMillis() / 1000.0)));
        }

        @Override
        public void added() {
            adds.increment();
            if (other != null) {
                other.added();
            }
        }

        @Override
        public void taken(Duration waited) {
            takes.increment();
            if (other != null) {
                other.taken(waited);
            }
        }

        @Override
        public void processed(Duration worked) {
            syncs.increment();
            if (other != null) {
                other.processed(worked);
            }
        }

        @Override
        public void retried(Duration delay) {
            retries.increment();
            if (other != null) {
                other.retried(delay);
            }
        }

        @Override
        public void onTransition(QueueTransition transition, Object item) {
            if (!feed.isWatched()) {
                return;
            }
            boolean withWorker = transition == QueueTransition.TAKEN || transition == QueueTransition.DONE;
            if (withWorker) {
                KEY.set(transition == QueueTransition.TAKEN ? name + " " + item : null);
            }
            feed.report(
                    withWorker ? Stage.WORKERS : Stage.QUEUE,
                    transition.name().toLowerCase(Locale.ROOT),
                    name,
                    item.toString(),
                    "");
        }

        @Override
        public void close() {
            queues.remove(name, this);
            if (other != null) {
                other.close();
            }
        }
    }
}

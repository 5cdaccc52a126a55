/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.expectations.ControllerExpectations;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.manager.command.pages.InformerErrors;
import io.kubeloop.workqueue.QueueMetricsProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a live page: observers of the parts of a controller manager, and their state as JSON. {@code
 * docs/live-page.md} describes the JSON.
 *
 * <p>Thread-safe. The state is read when it is requested; nothing is computed before.
 */
public final class LiveView {

    /** The most objects, and the most values of an index, that the content of a store lists. */
    private static final int LISTED = 100;

    private final LiveFeed feed;
    private final Supplier<JsonObject> about;
    private final Function<String, @Nullable SharedInformer<? extends KubeObject>> caches;
    private final LiveTransport.Totals client = new LiveTransport.Totals();
    private final Map<String, ControllerExpectations> expectations = new ConcurrentSkipListMap<>();
    private final LiveInformers informers;
    private final LiveQueues queues;
    private final ControllerMetrics controllers;

    /**
     * The receivers of measurements that exist without a live view.
     *
     * @param informers those of informers
     * @param queues those of work queues; null for none
     * @param controllers those of controllers
     */
    public record Metrics(
            InformerMetricsProvider informers, @Nullable QueueMetricsProvider queues, ControllerMetrics controllers) {

        /** No receivers. */
        public static final Metrics NONE = new Metrics(InformerMetricsProvider.NONE, null, ControllerMetrics.NONE);
    }

    /**
     * Creates a view.
     *
     * @param metrics receive the measurements of the observers
     * @param about returns members that describe the process: {@code state} and {@code lease}, for example
     * @param caches returns the informer of a resource by name; null for none
     */
    public LiveView(
            LiveFeed feed,
            Metrics metrics,
            Supplier<JsonObject> about,
            Function<String, @Nullable SharedInformer<? extends KubeObject>> caches) {
        this.feed = feed;
        this.about = about;
        this.caches = caches;
        this.informers = new LiveInformers(feed, metrics.informers());
        this.queues = new LiveQueues(feed, metrics.queues());
        this.controllers = new Controllers(metrics.controllers());
    }

    /** Returns the observer of informers. */
    public InformerMetricsProvider informers() {
        return informers;
    }

    /** Returns the observer of work queues. */
    public QueueMetricsProvider queues() {
        return queues;
    }

    /** Returns the observer of controllers. */
    public ControllerMetrics controllers() {
        return controllers;
    }

    /** Returns a transport that is observed. Closing it closes the given one. */
    public Transport observe(Transport transport) {
        return new LiveTransport(transport, feed, client);
    }

    /** Returns the informer of this name, if it holds the whole of a resource that has a record; otherwise null. */
    public static @Nullable SharedInformer<? extends KubeObject> cache(SharedInformerFactory factory, String name) {
        boolean runs =
                factory.health().stream().anyMatch(health -> health.name().equals(name));
        for (ResourceType<?> type : ResourceTypes.all()) {
            if (runs && type.toString().equals(name)) {
                return factory.informer(type);
            }
        }
        return null;
    }

    /** Adds a viewer that reads only {@link #line}, so a demo can be paused for it. Close it when it leaves. */
    public Watching watch() {
        return feed.open("")::close;
    }

    /** One who looks. */
    @FunctionalInterface
    public interface Watching extends AutoCloseable {

        @Override
        void close();
    }

    LiveFeed feed() {
        return feed;
    }

    private final class Controllers implements ControllerMetrics {

        private final ControllerMetrics others;

        Controllers(ControllerMetrics others) {
            this.others = others;
        }

        @Override
        public void record(ControllerMetric metric, double value, String... labels) {
            others.record(metric, value, labels);
        }

        @Override
        public void forget(ControllerMetric metric, String... labels) {
            others.forget(metric, labels);
        }

        @Override
        public void present(ControllerMetric metric) {
            others.present(metric);
        }

        @Override
        public void expectations(String controller, ControllerExpectations recorded) {
            expectations.put(controller, recorded);
            others.expectations(controller, recorded);
        }
    }

    /** Returns the state of all stages. O(informers, queues and keys with expectations). */
    JsonObject stages() {
        List<JsonValue> lanes = new ArrayList<>();
        informers.health().forEach(health -> lanes.add(lane(health)));
        return about.get()
                .with("t", new JsonNumber(String.format(Locale.ROOT, "%.3f", feed.nanos() / 1e6)))
                .with("passages", feed.passed())
                .with("sample", feed.sample())
                .with("client", client.json())
                .with("informers", JsonArray.of(lanes))
                .with("queues", queues.json())
                .with("expectations", expected());
    }

    /** Returns the stages in one line of text for a terminal of 80 columns, in the order of the pipeline. */
    public String line() {
        JsonObject stages = stages();
        List<InformerHealth> all = informers.health();
        long watching = all.stream()
                .filter(health -> health.state() == ReflectorState.WATCHING)
                .count();
        long pending = all.stream()
                .flatMap(health -> health.handlers().stream())
                .mapToLong(InformerHealth.HandlerHealth::pending)
                .sum();
        return String.format(
                Locale.ROOT,
                "  %s: %d/%d watch > deltas %d > store %d > calls %d > keys %d > busy %d > writes %d",
                stages.string("speed").isEmpty() ? "real" : stages.string("speed"),
                watching,
                all.size(),
                all.stream().mapToInt(InformerHealth::queued).sum(),
                all.stream().mapToInt(InformerHealth::objects).sum(),
                pending,
                total(stages.array("queues"), "depth"),
                total(stages.array("queues"), "busy"),
                stages.number("client", "writes"));
    }

    private static long total(JsonArray queues, String member) {
        return queues.elements().stream()
                .mapToLong(queue -> Objects.requireNonNull(((JsonObject) queue).number(member)))
                .sum();
    }

    private static JsonObject lane(InformerHealth health) {
        List<JsonValue> handlers = new ArrayList<>();
        health.handlers()
                .forEach(handler -> handlers.add(JsonObject.EMPTY
                        .with("name", handler.name())
                        .with("pending", handler.pending())
                        .with("delivered", handler.delivered())
                        .with("failed", handler.failed())));
        return JsonObject.EMPTY
                .with("resource", health.name())
                .with("state", health.state().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .with("synced", health.synced())
                .with("lists", health.lists())
                .with("watches", health.watches())
                .with("errors", health.errors())
                .with("error", InformerErrors.currentError(health))
                .with("received", health.lastSyncResourceVersion())
                .with("queued", health.queued())
                .with("objects", health.objects())
                .with("stored", health.storeResourceVersion())
                .with("handlers", JsonArray.of(handlers));
    }

    private JsonArray expected() {
        List<JsonValue> entries = new ArrayList<>();
        expectations.forEach((controller, recorded) -> recorded.all().forEach((key, expected) -> {
            if (!expected.isFulfilled() && entries.size() < LISTED) {
                entries.add(JsonObject.EMPTY
                        .with("controller", controller)
                        .with("key", key.toString())
                        .with("add", expected.add())
                        .with("del", expected.del()));
            }
        }));
        return JsonArray.of(entries);
    }

    /**
     * Returns the content of a cache: its first objects by name, and its indices.
     *
     * @param resource the name of an informer of a whole resource
     */
    JsonObject store(String resource) {
        try {
            return content(resource);
        } catch (IllegalStateException closing) {
            return JsonObject.EMPTY.with("resource", resource).with("error", String.valueOf(closing.getMessage()));
        }
    }

    private JsonObject content(String resource) {
        SharedInformer<? extends KubeObject> informer = caches.apply(resource);
        if (informer == null) {
            return JsonObject.EMPTY.with("resource", resource).with("error", "there is no cache of this name");
        }
        List<JsonValue> items = new ArrayList<>();
        List<? extends KubeObject> all = informer.lister().list();
        all.stream()
                .sorted(Comparator.comparing(KubeObject::objectName))
                .limit(LISTED)
                .forEach(object -> items.add(JsonObject.EMPTY
                        .with("key", object.objectName().toString())
                        .with("version", object.metadata().resourceVersion())));
        List<JsonValue> indices = new ArrayList<>();
        for (String index : informer.indexNames()) {
            List<JsonValue> values = new ArrayList<>();
            List<String> known = informer.indexValues(index);
            known.stream()
                    .sorted()
                    .limit(LISTED)
                    .forEach(value -> values.add(JsonObject.EMPTY
                            .with("value", value)
                            .with("objects", informer.byIndex(index, value).size())));
            indices.add(JsonObject.EMPTY
                    .with("name", index)
                    .with("count", known.size())
                    .with("values", JsonArray.of(values)));
        }
        return JsonObject.EMPTY
                .with("resource", resource)
                .with("objects", all.size())
                .with("items", JsonArray.of(items))
                .with("indices", JsonArray.of(indices));
    }
}

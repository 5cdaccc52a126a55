/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.Vectors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The whole informer against upstream's v1.20, which had no streaming lists and delivered unchanged objects (RE-30,
 * RE-33, RE-36, RE-42, RE-43, RE-50, RE-54, CT-05, RG-02, RS-03, RS-05, DI-05, DI-06).
 *
 * <p>An event of an unknown type cannot reach an informer here: the codec rejects it.
 */
class SharedInformerVectorsTest {

    private static final Set<String> TYPES = Set.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK");

    @TestFactory
    Stream<DynamicTest> coalescing() {
        return cases(QueueKind.DELTA_FIFO);
    }

    @TestFactory
    Stream<DynamicTest> inOrder() {
        return cases(QueueKind.REAL_FIFO);
    }

    private static Stream<DynamicTest> cases(QueueKind queue) {
        return Vectors.load(SharedInformerVectorsTest.class, "shared-informer").stream()
                .filter(vector ->
                        ops(vector).stream().noneMatch(op -> op.containsKey("type") && !TYPES.contains(op.get("type"))))
                .filter(vector -> !asksForFewerWatches(vector.input()))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> new Run(vector, queue).check()));
    }

    /** After too many requests, v1.20 listed; later releases watch again, tested in ReflectorTest (RE-41, RE-44). */
    private static boolean asksForFewerWatches(Map<String, Object> input) {
        return Stream.of("watchErrors", "ops")
                .flatMap(member -> ((List<?>) input.getOrDefault(member, List.of())).stream())
                .anyMatch(asked -> "TooManyRequests".equals(((Map<?, ?>) asked).get("reason")));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> ops(Vectors.Case vector) {
        return (List<Map<String, Object>>) vector.input().get("ops");
    }

    /** One case on one informer. */
    private static final class Run {

        private final ManualScheduler scheduler = new ManualScheduler();
        private final ScriptedSource source = new ScriptedSource();
        private final ConcurrentMap<String, List<Object>> told = new ConcurrentHashMap<>();
        private final SharedInformer<Thing> informer;
        private final Vectors.Case vector;
        private boolean running;

        @SuppressWarnings("unchecked")
        Run(Vectors.Case vector, QueueKind queue) {
            this.vector = vector;
            Map<String, Object> input = vector.input();
            informer = SharedInformers.informer(
                    Thing.TYPE,
                    source,
                    InformerConfig.DEFAULT
                            .withScheduler(scheduler)
                            .withRandom(() -> 0)
                            .withStreamingList(false)
                            .withAnnounceUnchanged(true)
                            .withQueue(queue)
                            .withResyncPeriod(seconds(input.get("resyncSeconds"))));
            for (Map<String, Object> list : (List<Map<String, Object>>) input.get("lists")) {
                script(list);
            }
            for (Object error : (List<Object>) input.getOrDefault("watchErrors", List.of())) {
                source.refuseWatch(refusal(error));
            }
            for (Map<String, Object> handler : (List<Map<String, Object>>) input.get("handlers")) {
                informer.addHandler(new Recorder((String) handler.get("name")), seconds(handler.get("resyncSeconds")));
            }
        }

        @SuppressWarnings("unchecked")
        private void script(Map<String, Object> list) {
            if (list.containsKey("error")) {
                source.failList(refusal(list.get("error")));
                return;
            }
            Thing[] items = ((List<Map<String, Object>>) list.get("items"))
                    .stream().map(Run::thing).toArray(Thing[]::new);
            String version = (String) list.get("resourceVersion");
            source.page(ScriptedSource.page(version, (String) list.getOrDefault("continue", ""), items));
        }

        @SuppressWarnings("unchecked")
        void check() {
            List<Map<String, Object>> ops = ops(vector);
            List<Map<String, Object>> results =
                    (List<Map<String, Object>>) vector.expected().get("results");
            try (informer) {
                for (int i = 0; i < ops.size(); i++) {
                    perform(ops.get(i));
                    settle();
                    // A resync, and the replay for a late handler, deliver the store, which has no order.
                    boolean anyOrder =
                            Set.of("advance", "addHandler").contains(ops.get(i).get("op"))
                                    || tellsUnseenDeletions(results.get(i));
                    assertThat(comparable(result(), anyOrder))
                            .as("result %s of %s", i, ops.get(i))
                            .isEqualTo(comparable(results.get(i), anyOrder));
                }
            }
        }

        /** v1.20 delivered the deletions of a list last; the queue that keeps the order delivers them first (CT-08). */
        private static boolean tellsUnseenDeletions(Map<String, Object> expected) {
            return ((Map<?, ?>) expected.get("notifications"))
                    .values().stream()
                            .flatMap(told -> ((List<?>) told).stream())
                            .anyMatch(told -> ((Map<?, ?>) told).containsKey("finalStateUnknown"));
        }

        @SuppressWarnings("unchecked")
        private void perform(Map<String, Object> op) {
            switch ((String) op.get("op")) {
                case "start" -> {
                    informer.start();
                    running = true;
                }
                case "event" -> event((String) op.get("type"), thing((Map<String, Object>) op.get("object")));
                case "errorEvent" ->
                    source.latest().error(((Number) op.get("code")).intValue(), (String) op.get("reason"));
                case "closeWatch" -> source.latest().end();
                case "addHandler" -> addHandler(op);
                case "advance" -> scheduler.jump(seconds(op.get("seconds")));
                case "stop" -> {
                    informer.close();
                    running = false;
                }
                default -> throw new AssertionError("unknown operation " + op);
            }
        }

        private void addHandler(Map<String, Object> op) {
            Recorder recorder = new Recorder((String) op.get("name"));
            if (!running && informer.health().state() == ReflectorState.STOPPED) {
                // v1.20 ignored it, later releases reject it (RG-03).
                assertThatThrownBy(() -> informer.addHandler(recorder)).isInstanceOf(IllegalStateException.class);
            } else if (op.containsKey("resyncSeconds")) {
                informer.addHandler(recorder, seconds(op.get("resyncSeconds")));
            } else {
                informer.addHandler(recorder);
            }
        }

        private void event(String type, Thing thing) {
            switch (type) {
                case "ADDED" -> source.latest().added(thing);
                case "MODIFIED" -> source.latest().modified(thing);
                case "DELETED" -> source.latest().deleted(thing);
                case "BOOKMARK" -> source.latest().bookmark(thing.version());
                default -> throw new AssertionError("unknown event type " + type);
            }
        }

        /** Waits until reflector, queue and handlers have finished. Backoffs end once they have, and take no time. */
        private void settle() {
            if (!running) {
                return;
            }
            await().until(() -> {
                // Checked in the order in which an event travels: reflector, queue, handlers.
                boolean exhausted = source.isExhausted();
                Runnable first = scheduler.first();
                InformerHealth health = informer.health();
                if (health.queued() > 0 || health.handlers().stream().anyMatch(handler -> handler.pending() > 0)) {
                    return false;
                }
                if (health.state() == ReflectorState.BACKING_OFF && first != null) {
                    first.run();
                    return false;
                }
                return exhausted;
            });
        }

        private Map<String, Object> result() {
            Map<String, Object> result = new TreeMap<>();
            result.put("hasSynced", informer.hasSynced());
            result.put("lastSyncResourceVersion", informer.lastSyncResourceVersion());
            result.put(
                    "store",
                    informer.lister().list().stream()
                            .map(Thing::toString)
                            .map(text -> text.replaceAll("=.*", ""))
                            .sorted()
                            .toList());
            Map<String, Object> notifications = new TreeMap<>(told);
            told.clear();
            result.put("notifications", notifications);
            List<ScriptedSource.Request> requests = new ArrayList<>();
            source.requests.drainTo(requests);
            result.put("requests", requests.stream().map(Run::json).toList());
            return result;
        }

        private static Map<String, Object> json(ScriptedSource.Request request) {
            Map<String, Object> json = new TreeMap<>();
            json.put("request", request.isWatch() ? "watch" : "list");
            json.put("resourceVersion", request.options().resourceVersion());
            if (request.isWatch()) {
                json.put("allowWatchBookmarks", request.options().allowWatchBookmarks());
            } else {
                json.put("limit", Long.toString(request.options().limit()));
            }
            if (!request.options().continueToken().isEmpty()) {
                json.put("continue", request.options().continueToken());
            }
            return json;
        }

        /** Makes numbers comparable, and sorts where the order has changed since. */
        @SuppressWarnings("unchecked")
        private static Map<String, Object> comparable(Map<String, Object> result, boolean anyOrder) {
            Map<String, Object> comparable = new TreeMap<>(result);
            comparable.computeIfPresent(
                    "requests",
                    (name, requests) -> ((List<Map<String, Object>>) requests)
                            .stream()
                                    .map(request -> {
                                        Map<String, Object> copy = new TreeMap<>(request);
                                        copy.computeIfPresent("limit", (limit, value) -> value.toString());
                                        return copy;
                                    })
                                    .toList());
            if (anyOrder) {
                comparable.computeIfPresent("notifications", (name, byHandler) -> {
                    Map<String, Object> sorted = new TreeMap<>((Map<String, Object>) byHandler);
                    sorted.replaceAll((handler, list) -> ((List<Object>) list)
                            .stream().map(Object::toString).sorted().toList());
                    return sorted;
                });
            }
            return comparable;
        }

        private static Duration seconds(Object number) {
            return number == null ? Duration.ZERO : Duration.ofSeconds(((Number) number).longValue());
        }

        private static Thing thing(Map<String, Object> json) {
            return Thing.of((String) json.get("key"), (String) json.get("rv"), (String) json.getOrDefault("value", ""));
        }

        @SuppressWarnings("unchecked")
        private static RuntimeException refusal(Object error) {
            Map<String, Object> json = (Map<String, Object>) error;
            return ScriptedSource.refusal(((Number) json.get("code")).intValue(), (String) json.get("reason"));
        }

        /** Records notifications in the form of the recording. */
        private final class Recorder implements ResourceEventHandler<Thing> {

            private final String name;

            Recorder(String name) {
                this.name = name;
            }

            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                tell(new TreeMap<>(Map.of("type", "add", "object", json(object))));
            }

            @Override
            public void onUpdate(Thing oldObject, Thing newObject) {
                tell(new TreeMap<>(Map.of("type", "update", "object", json(newObject), "old", json(oldObject))));
            }

            @Override
            public void onDelete(DeletedObject<Thing> deleted) {
                Map<String, Object> told = new TreeMap<>(Map.of("type", "delete", "object", json(deleted.lastKnown())));
                if (deleted instanceof DeletedFinalStateUnknown) {
                    told.put("finalStateUnknown", true);
                    told.put("key", deleted.name().toString());
                }
                tell(told);
            }

            private void tell(Map<String, Object> notification) {
                told.computeIfAbsent(name, missing -> new CopyOnWriteArrayList<>())
                        .add(notification);
            }

            private static Map<String, Object> json(Thing thing) {
                return new TreeMap<>(Map.of("key", thing.key(), "rv", thing.version(), "value", thing.value()));
            }
        }
    }
}

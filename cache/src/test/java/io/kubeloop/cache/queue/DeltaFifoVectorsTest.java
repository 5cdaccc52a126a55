/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.KeyException;
import io.kubeloop.testing.Vectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Delta queues against upstream's (DF-01 to DF-05, DF-08 to DF-13, DF-16). Where the release of 2026 differs from
 * v1.20, the former is expected.
 *
 * <p>Removed operations (requeue, add-if-not-present, get) are not tested, nor is the old option to name the objects of
 * a list {@code Sync}: it is compared as {@code Replaced}.
 */
class DeltaFifoVectorsTest {

    private record Item(String key, String value) {
        static Item of(Map<String, Object> json) {
            return new Item((String) json.get("key"), (String) json.get("value"));
        }

        String checkedKey() {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("item has no key");
            }
            return key;
        }
    }

    /** The store behind the queue, with the faults of a case. */
    private static final class Known implements KnownObjects<String, Item> {

        private final TreeMap<String, Item> items = new TreeMap<>();
        private final Set<String> failing = new HashSet<>();
        private final Set<String> ghosts = new HashSet<>();

        @Override
        public List<String> keys() {
            TreeSet<String> keys = new TreeSet<>(items.keySet());
            keys.addAll(ghosts);
            return List.copyOf(keys);
        }

        @Override
        public Item get(String key) {
            if (failing.contains(key)) {
                throw new IllegalStateException("lookup failed");
            }
            return items.get(key);
        }
    }

    private static final class Fails extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @TestFactory
    Stream<DynamicTest> coalescing() {
        return applicable()
                .filter(vector -> ops(vector.input()).stream().noneMatch(DeltaFifoVectorsTest::failsHalfway))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    boolean hasKnown = (Boolean) vector.input().get("knownObjects");
                    Known known = new Known();
                    List<Map<String, Object>> actual = run(deltaFifo(hasKnown, known), known, vector.input());
                    for (int i = 0; i < actual.size(); i++) {
                        List<Object> waiting =
                                waitingKeys(hasKnown, ops(vector.input()).subList(0, i + 1));
                        actual.get(i).put("queue", waiting);
                        actual.get(i).put("keys", waiting.stream().sorted().toList());
                    }
                    List<Map<String, Object>> expected = normal(results(vector));
                    int lost = lostOfTheFirstList(vector);
                    actual.subList(lost, actual.size()).forEach(result -> result.remove("hasSynced"));
                    expected.subList(lost, expected.size()).forEach(result -> result.remove("hasSynced"));
                    assertThat(actual).isEqualTo(expected);
                }));
    }

    private static DeltaFifo<String, Item> deltaFifo(boolean hasKnown, Known known) {
        return new DeltaFifo<>(Item::checkedKey, hasKnown ? known : null, 1);
    }

    /** Returns the keys that wait after these operations, oldest first: those that the next pops deliver. */
    private static List<Object> waitingKeys(boolean hasKnown, List<Map<String, Object>> ops) {
        Known known = new Known();
        DeltaFifo<String, Item> queue = deltaFifo(hasKnown, known);
        run(queue, known, Map.of("ops", ops));
        List<Object> keys = new ArrayList<>();
        while (queue.size() > 0) {
            Map<String, Object> result = new TreeMap<>();
            pop(queue, known, Map.of("op", "pop"), result);
            Map<?, ?> first = (Map<?, ?>) ((List<?>) result.get("popped")).get(0);
            keys.add(((Map<?, ?>) first.get("object")).get("key"));
        }
        return keys;
    }

    /** Here, a list with an object without a key is rejected as a whole; upstream queues the objects before it. */
    private static boolean failsHalfway(Map<String, Object> op) {
        return op.get("list") instanceof List<?> list
                && list.stream()
                        .skip(1)
                        .anyMatch(item -> ((Map<?, ?>) item).get("key").equals(""))
                && !((Map<?, ?>) list.get(0)).get("key").equals("");
    }

    /**
     * Returns the operation from which upstream counts objects of the first list as processed on which the consumer
     * failed. Here such a list does not count (see {@link DeltaQueue#hasSynced}).
     */
    private static int lostOfTheFirstList(Vectors.Case vector) {
        List<Map<String, Object>> ops = ops(vector.input());
        List<Map<String, Object>> results = results(vector);
        for (int i = 1; i < ops.size(); i++) {
            if ("error".equals(ops.get(i).get("result"))
                    && Boolean.FALSE.equals(results.get(i - 1).get("hasSynced"))) {
                return i;
            }
        }
        return ops.size();
    }

    /**
     * The queue that keeps the order delivers the same changes per key, as long as no list comes in between (a list is
     * one entry, and the consumer finds its deletions). It merges and drops nothing (RF-01), and delivers everything in
     * the end.
     */
    @TestFactory
    Stream<DynamicTest> inOrder() {
        return applicable()
                .filter(vector -> ops(vector.input()).stream()
                        .noneMatch(op -> Set.of("replace", "resync").contains(op.get("op"))))
                .filter(vector -> last(results(vector), "queue").equals(List.of()))
                .filter(vector -> !mergesOrDrops(vector))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    List<Map<String, Object>> ops = new ArrayList<>(ops(vector.input()));
                    ops.addAll(Collections.nCopies(ops.size(), Map.of("op", "pop")));
                    RealFifo<String, Item> queue = new RealFifo<>(Item::checkedKey, 1);
                    List<Map<String, Object>> actual = run(queue, new Known(), Map.of("ops", ops));
                    assertThat(byKey(actual)).isEqualTo(byKey(normal(results(vector))));
                    assertThat(last(actual, "hasSynced")).isEqualTo(last(results(vector), "hasSynced"));
                }));
    }

    /** Returns whether a deletion meets another queued one, or is not queued itself. */
    private static boolean mergesOrDrops(Vectors.Case vector) {
        List<Map<String, Object>> ops = ops(vector.input());
        List<Map<String, Object>> results = results(vector);
        Set<Object> deleted = new HashSet<>();
        for (int i = 0; i < ops.size(); i++) {
            List<?> queue = (List<?>) results.get(i).get("queue");
            Object key = ops.get(i).get("key");
            switch ((String) ops.get(i).get("op")) {
                case "delete", "deleteTombstone" -> {
                    if (!deleted.add(key) || !queue.contains(key)) {
                        return true;
                    }
                }
                case "add", "update" -> deleted.remove(key);
                default -> deleted.retainAll(queue);
            }
        }
        return false;
    }

    private static Stream<Vectors.Case> applicable() {
        return Vectors.load(DeltaFifoVectorsTest.class, "delta-fifo").stream()
                .filter(vector -> !(vector.expected().get("master") instanceof String))
                .filter(vector -> ops(vector.input()).stream()
                        .noneMatch(op -> Set.of("get", "addIfNotPresent", "addIfNotPresentPlain")
                                        .contains(op.get("op"))
                                || ((String) op.getOrDefault("result", "")).startsWith("requeue")));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> results(Vectors.Case vector) {
        Map<String, Object> expected = vector.expected().get("master") instanceof Map<?, ?> master
                ? (Map<String, Object>) master
                : vector.expected();
        return (List<Map<String, Object>>) expected.get("results");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> ops(Map<String, Object> input) {
        return (List<Map<String, Object>>) input.get("ops");
    }

    private static Object last(List<Map<String, Object>> results, String member) {
        return results.get(results.size() - 1).get(member);
    }

    private static List<Map<String, Object>> run(
            DeltaQueue<String, Item> queue, Known known, Map<String, Object> input) {
        List<Map<String, Object>> results = new ArrayList<>();
        for (Map<String, Object> op : ops(input)) {
            Map<String, Object> result = new TreeMap<>();
            try {
                run(queue, known, op, result);
            } catch (KeyException e) {
                result.put("error", "key error: " + e.getMessage());
            } catch (Fails e) {
                result.put("error", "handler failed");
            }
            result.put("hasSynced", queue.hasSynced());
            results.add(result);
        }
        return results;
    }

    @SuppressWarnings("unchecked")
    private static void run(
            DeltaQueue<String, Item> queue, Known known, Map<String, Object> op, Map<String, Object> result) {
        String key = (String) op.get("key");
        String value = (String) op.get("value");
        Item item = new Item(key, value);
        switch ((String) op.get("op")) {
            case "add" -> queue.add(item);
            case "update" -> queue.update(item);
            case "delete" -> queue.delete(item);
            case "deleteTombstone" -> queue.deleteUnseen(key, value == null ? null : item);
            case "replace" ->
                queue.replace(
                        ((List<Map<String, Object>>) op.get("list"))
                                .stream().map(Item::of).toList(),
                        "1");
            case "resync" -> queue.resync();
            case "knownSet" -> known.items.put(key, item);
            case "knownDelete" -> known.items.remove(key);
            case "knownLookupFails" -> known.failing.add(key);
            case "knownGhost" -> known.ghosts.add(key);
            case "close" -> queue.close();
            case "isClosed" -> result.put("closed", queue.isClosed());
            case "pop" -> pop(queue, known, op, result);
            default -> throw new AssertionError("unknown operation " + op);
        }
    }

    private static void pop(
            DeltaQueue<String, Item> queue, Known known, Map<String, Object> op, Map<String, Object> result) {
        if (queue.size() == 0 && !queue.isClosed()) {
            result.put("wouldBlock", true);
            return;
        }
        boolean popped = queue.pop(new DeltaConsumer<>() {
            @Override
            public void deltas(List<Delta<String, Item>> deltas, boolean isInInitialList) {
                result.put(
                        "popped",
                        deltas.stream().map(DeltaFifoVectorsTest::json).toList());
                if (op.containsKey("store")) {
                    deltas.forEach(delta -> {
                        if (delta.isDeletion()) {
                            known.items.remove(delta.key());
                        } else {
                            known.items.put(delta.key(), delta.object());
                        }
                    });
                }
                if ("error".equals(op.get("result"))) {
                    throw new Fails();
                }
            }

            @Override
            public void replacedAll(List<Item> objects, String resourceVersion, boolean isInInitialList) {
                throw new AssertionError("no list in these cases");
            }

            @Override
            public void syncAll() {
                throw new AssertionError("no resync in these cases");
            }

            @Override
            public void bookmark(String resourceVersion) {
                throw new AssertionError("no bookmark in these cases");
            }

            @Override
            public void synced() {}
        });
        if (!popped) {
            result.put("error", "closed");
            result.put("popped", null);
        } else if (!result.containsKey("popped")) {
            // Only the end of the first list was announced: the caller would pop again, and wait.
            pop(queue, known, op, result);
        }
    }

    private static Map<String, Object> json(Delta<String, Item> delta) {
        Map<String, Object> object = delta.object() == null
                ? null
                : new TreeMap<>(Map.of(
                        "key", delta.object().key(), "value", delta.object().value()));
        if (delta.finalStateUnknown()) {
            Map<String, Object> tombstone = new TreeMap<>();
            tombstone.put("key", delta.key());
            tombstone.put("object", object);
            tombstone.put("tombstone", true);
            object = tombstone;
        }
        Map<String, Object> json = new TreeMap<>();
        json.put("object", object);
        json.put("type", typeName(delta.type()));
        return json;
    }

    private static String typeName(DeltaType type) {
        return switch (type) {
            case ADDED -> "Added";
            case UPDATED -> "Updated";
            case DELETED, DELETED_UNSEEN -> "Deleted";
            case REPLACED, SYNC -> "Sync or Replaced";
        };
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> normal(List<Map<String, Object>> expected) {
        List<Map<String, Object>> normal = new ArrayList<>();
        for (Map<String, Object> result : expected) {
            Map<String, Object> copy = new TreeMap<>(result);
            if (copy.get("popped") instanceof List<?> popped) {
                copy.put(
                        "popped",
                        popped.stream()
                                .map(delta -> {
                                    Map<String, Object> changed = new TreeMap<>((Map<String, Object>) delta);
                                    changed.computeIfPresent(
                                            "type",
                                            (name, type) -> type.equals("Sync") || type.equals("Replaced")
                                                    ? "Sync or Replaced"
                                                    : type);
                                    return changed;
                                })
                                .toList());
            }
            normal.add(copy);
        }
        return normal;
    }

    /** Returns everything that was popped, in order, key by key. */
    @SuppressWarnings("unchecked")
    private static Map<String, List<Object>> byKey(List<Map<String, Object>> results) {
        Map<String, List<Object>> byKey = new TreeMap<>();
        for (Map<String, Object> result : results) {
            if (result.get("popped") instanceof List<?> popped) {
                for (Object delta : popped) {
                    Map<String, Object> object = (Map<String, Object>) ((Map<String, Object>) delta).get("object");
                    byKey.computeIfAbsent((String) object.get("key"), key -> new ArrayList<>())
                            .add(delta);
                }
            }
        }
        return byKey;
    }
}

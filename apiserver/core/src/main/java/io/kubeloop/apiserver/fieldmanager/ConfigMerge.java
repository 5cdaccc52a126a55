/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Merges an applied configuration into an object (upstream: {@code typed/merge.go}). Nothing is removed; where both set
 * a field, the value of the configuration wins. Not thread-safe.
 *
 * <p>Parts that the configuration does not mention are the same instances in the result.
 */
final class ConfigMerge {

    private final SchemaErrors errors;

    ConfigMerge(SchemaErrors errors) {
        this.errors = errors;
    }

    /** Merges two values of a type. */
    JsonValue merge(JsonValue live, JsonValue config, TypeSchema declared) {
        TypeSchema type = Types.deduce(declared, config);
        boolean isEmpty = Types.isEmpty(type, live) && Types.isEmpty(type, config);
        if (Types.isScalar(type) || Types.isAtomic(type) || isEmpty) {
            return config.equals(live) ? live : config;
        }
        if (type instanceof TypeSchema.ListOf list) {
            return mergeElements(
                    live instanceof JsonArray array ? array : JsonArray.EMPTY,
                    config instanceof JsonArray array ? array : JsonArray.EMPTY,
                    list);
        }
        return mergeMembers(
                live instanceof JsonObject object ? object : JsonObject.EMPTY,
                config instanceof JsonObject object ? object : JsonObject.EMPTY,
                type);
    }

    @SuppressWarnings("ReferenceEquality") // unchanged parts are the same instances
    private JsonValue mergeMembers(JsonObject live, JsonObject config, TypeSchema type) {
        if (live.isEmpty()) {
            return config;
        }
        Map<String, JsonValue> merged = null;
        for (Map.Entry<String, JsonValue> member : config.members().entrySet()) {
            String name = member.getKey();
            JsonValue old = live.members().get(name);
            JsonValue next = member.getValue();
            if (old != null) {
                int mark = errors.mark();
                next = merge(old, next, Types.orAny(Types.member(type, name)));
                errors.prefix(mark, new PathElement.Field(name));
            }
            if (next != old) {
                merged = merged == null ? new LinkedHashMap<>(live.members()) : merged;
                merged.put(name, next);
            }
        }
        return merged == null ? live : JsonObject.of(merged);
    }

    /** The elements of a list with their identities. */
    private static final class Items {

        final List<PathElement> order = new ArrayList<>();
        final List<JsonValue> values = new ArrayList<>();
        final Map<PathElement, JsonValue> byElement = new TreeMap<>();
    }

    /** Of elements that occur several times in the live list, none is merged with the configuration. */
    private Items index(JsonArray array, TypeSchema.ListOf list, boolean allowsDuplicates) {
        Items items = new Items();
        for (int i = 0; i < array.size(); i++) {
            JsonValue item = array.get(i);
            PathElement element;
            try {
                element = ListItems.identify(list, item);
            } catch (ListItems.InvalidItemException e) {
                errors.add("element " + i + ": " + e.getMessage());
                continue;
            }
            boolean isDuplicate = items.byElement.containsKey(element);
            if (isDuplicate && !allowsDuplicates) {
                errors.add("duplicate entries for key " + element);
                continue;
            }
            items.byElement.put(element, isDuplicate ? JsonNull.NULL : item);
            items.order.add(element);
            items.values.add(item);
        }
        return items;
    }

    private JsonValue mergeElements(JsonArray live, JsonArray config, TypeSchema.ListOf list) {
        if (config.isEmpty()) {
            return live;
        }
        int mark = errors.mark();
        Items right = index(config, list, false);
        Items left = index(live, list, true);
        if (errors.mark() > mark) {
            return live;
        }
        List<JsonValue> result = new ListMerge(left, right, list).run();
        return isSame(result, live) ? live : JsonArray.of(result);
    }

    @SuppressWarnings("ReferenceEquality") // unchanged elements are the same instances
    private static boolean isSame(List<JsonValue> result, JsonArray live) {
        if (result.size() != live.size()) {
            return false;
        }
        for (int i = 0; i < result.size(); i++) {
            if (result.get(i) != live.get(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Merges the elements of two lists. The result keeps the order of the configuration for elements that both lists
     * have, and leaves elements of the live list before the shared element that follows them.
     */
    private final class ListMerge {

        private final Items live;
        private final Items config;
        private final TypeSchema.ListOf list;
        private final Deque<PathElement> shared = new ArrayDeque<>();
        private final Set<PathElement> done = new TreeSet<>();
        private final List<JsonValue> result = new ArrayList<>();
        private int left;
        private int right;

        ListMerge(Items live, Items config, TypeSchema.ListOf list) {
            this.live = live;
            this.config = config;
            this.list = list;
            for (PathElement element : config.order) {
                if (live.byElement.containsKey(element)) {
                    shared.add(element);
                }
            }
        }

        List<JsonValue> run() {
            while (left < live.order.size() || right < config.order.size()) {
                if (left < live.order.size() && right < config.order.size() && stepBoth()) {
                    continue;
                }
                if (left < live.order.size() && stepLive()) {
                    continue;
                }
                if (right < config.order.size()) {
                    stepConfig();
                }
            }
            return result;
        }

        /**
         * Appends an element that comes next in both lists. An element of both lists that comes later in the other one
         * is skipped for now.
         */
        private boolean stepBoth() {
            PathElement element = live.order.get(left);
            if (element.equals(config.order.get(right))) {
                done.add(element);
                result.add(merged(element));
                left++;
                right++;
                shared.poll();
                return true;
            }
            PathElement next = shared.peek();
            if (config.byElement.containsKey(element) && next != null && !next.equals(element)) {
                left++;
                return true;
            }
            return false;
        }

        /** Appends an element that only the live list contains. */
        private boolean stepLive() {
            PathElement element = live.order.get(left);
            if (!config.byElement.containsKey(element)) {
                result.add(live.values.get(left));
                left++;
                return true;
            }
            if (done.contains(element)) {
                left++;
            }
            return false;
        }

        private void stepConfig() {
            PathElement element = config.order.get(right);
            done.add(element);
            result.add(merged(element));
            right++;
            if (element.equals(shared.peek())) {
                shared.poll();
            }
        }

        private JsonValue merged(PathElement element) {
            JsonValue mine = live.byElement.get(element);
            JsonValue theirs = config.byElement.get(element);
            if (theirs == null) {
                throw new IllegalStateException("the configuration has no element " + element);
            }
            if (mine == null) {
                return theirs;
            }
            int mark = errors.mark();
            JsonValue value = merge(mine, theirs, list.elements());
            errors.prefix(mark, element);
            return value;
        }
    }
}

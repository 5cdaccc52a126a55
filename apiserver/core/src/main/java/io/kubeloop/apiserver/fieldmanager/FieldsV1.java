/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes sets of fields in the format of {@code managedFields} (upstream: {@code metav1.FieldsV1}).
 *
 * <p>A member without fields below it is an empty object. A member that has fields below it holds the member {@code
 * "."}. Thread-safe: stateless.
 */
public final class FieldsV1 {

    private static final String SELF = ".";
    private static final JsonObject SELF_ONLY = JsonObject.of(SELF, JsonObject.EMPTY);

    private FieldsV1() {}

    /** Returns the format of a set. O(n). */
    public static JsonObject encode(FieldSet set) {
        return encode(set, JsonObject.EMPTY);
    }

    private static JsonObject encode(FieldSet set, JsonObject first) {
        if (set.isEmpty()) {
            return JsonObject.EMPTY;
        }
        JsonObject.Builder members = first.toBuilder();
        for (FieldSet.Node node : set.nodes()) {
            members.put(node.element().encoded(), encode(node.below(), node.isMember() ? SELF_ONLY : JsonObject.EMPTY));
        }
        return members.build();
    }

    /**
     * Reads a set. Path elements of unknown kinds are ignored.
     *
     * @throws DecodeException if the object is malformed
     */
    public static FieldSet decode(JsonObject fields) {
        return new Reading().set(fields);
    }

    /** Decodes one set, and notes whether its members have the order of {@link #encode}. Confined to one thread. */
    static final class Reading {

        private boolean isOrdered = true;

        /** Returns whether everything that was read has the order in which sets are written. */
        boolean isOrdered() {
            return isOrdered;
        }

        /**
         * Reads a set.
         *
         * @throws DecodeException if the object is malformed
         */
        FieldSet set(JsonObject fields) {
            List<FieldSet.Node> nodes = new ArrayList<>(fields.members().size());
            for (Map.Entry<String, JsonValue> member : fields.members().entrySet()) {
                if (member.getKey().equals(SELF)) {
                    continue;
                }
                PathElement element = PathElement.decode(member.getKey());
                if (element != null) {
                    JsonObject content = content(member.getKey(), member.getValue());
                    FieldSet below = set(content);
                    isOrdered = isOrdered
                            && (nodes.isEmpty()
                                    || nodes.get(nodes.size() - 1).element().compareTo(element) < 0);
                    nodes.add(new FieldSet.Node(element, below.isEmpty() || content.has(SELF), below));
                }
            }
            return FieldSet.ofNodes(nodes);
        }
    }

    private static JsonObject content(String name, JsonValue value) {
        if (value instanceof JsonObject object) {
            return object;
        }
        if (value == JsonNull.NULL) {
            return JsonObject.EMPTY;
        }
        throw new DecodeException("expected an object at " + name + " of a field set", null);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Patch;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patches (RFC 7386): objects are merged, {@code null} removes a member, all other values are replaced as a
 * whole.
 *
 * <p>A new value loses its nulls, even those inside lists, as in the library of Kubernetes' API server
 * (evanphx/json-patch 4). The RFC would keep nulls in lists. Thread-safe: stateless.
 */
public final class MergePatch {

    private MergePatch() {}

    /** Returns the document after the patch. */
    public static JsonObject apply(JsonObject document, JsonObject patch) {
        JsonObject.Builder result = document.toBuilder();
        for (Map.Entry<String, JsonValue> member : patch.members().entrySet()) {
            String name = member.getKey();
            if (member.getValue() == JsonNull.NULL) {
                result.remove(name);
            } else {
                result.put(name, merge(document.get(name), member.getValue()));
            }
        }
        return result.build();
    }

    private static JsonValue merge(@Nullable JsonValue current, JsonValue patch) {
        if (current instanceof JsonObject object) {
            return patch instanceof JsonObject inner ? apply(object, inner) : patch;
        }
        return withoutNulls(patch);
    }

    /** Returns the patched object with the members of those objects sorted that the patch has visited. */
    public static JsonValue visited(JsonValue patched, JsonValue patch) {
        if (patched instanceof JsonArray array && patch instanceof JsonArray) {
            return JsonArray.of(array.elements().stream()
                    .map(element -> visited(element, element))
                    .toList());
        }
        if (!(patched instanceof JsonObject object) || !(patch instanceof JsonObject inside)) {
            return patched;
        }
        JsonObject.Builder sorted = JsonObject.builder();
        new TreeMap<>(object.members()).forEach((name, value) -> {
            JsonValue part = inside.get(name);
            sorted.put(name, part == null ? value : visited(value, part));
        });
        return sorted.build();
    }

    public static JsonValue withoutNulls(JsonValue value) {
        if (value instanceof JsonObject object) {
            JsonObject.Builder result = JsonObject.builder();
            object.members().forEach((name, member) -> {
                if (member != JsonNull.NULL) {
                    result.put(name, withoutNulls(member));
                }
            });
            return result.build();
        }
        if (value instanceof JsonArray array) {
            return JsonArray.of(array.elements().stream()
                    .filter(element -> element != JsonNull.NULL)
                    .map(MergePatch::withoutNulls)
                    .toList());
        }
        return value;
    }

    /**
     * Returns the patch that changes one object to another of the same name. It has only the members that differ, so it
     * keeps what other clients change meanwhile, except inside the same list. The server does not compare the version.
     *
     * @param codec encodes both objects
     * @param from the object as it was read
     * @param to the wanted object
     * @return a patch of the empty object if both are equal
     */
    public static <T extends KubeObject> Patch between(ObjectCodec codec, ResourceType<T> type, T from, T to) {
        JsonObject before = JsonObject.parse(codec.encode(type, from));
        return Patch.merge(
                create(before, JsonObject.parse(codec.encode(type, to))).toString());
    }

    /** Returns the patch that changes {@code from} to {@code to}; empty if they are equal. */
    public static JsonObject create(JsonObject from, JsonObject to) {
        JsonObject.Builder patch = JsonObject.builder();
        to.members().forEach((name, wanted) -> {
            JsonValue present = from.get(name);
            if (present instanceof JsonObject one && wanted instanceof JsonObject other) {
                JsonObject inner = create(one, other);
                if (!inner.isEmpty()) {
                    patch.put(name, inner);
                }
            } else if (!wanted.equals(present)) {
                patch.put(name, wanted);
            }
        });
        for (String name : from.members().keySet()) {
            if (!to.has(name)) {
                patch.put(name, JsonNull.NULL);
            }
        }
        return patch.build();
    }
}

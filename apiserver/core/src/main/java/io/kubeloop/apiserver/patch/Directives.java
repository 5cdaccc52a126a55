/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** The members of a strategic merge patch that are directives rather than data. Thread-safe: stateless. */
final class Directives {

    /** The action on the object that contains this member: {@code replace}, {@code delete} or {@code merge}. */
    static final String PATCH = "$patch";

    static final JsonString REPLACE = new JsonString("replace");
    static final JsonString DELETE = new JsonString("delete");
    static final JsonString MERGE = new JsonString("merge");

    /** Lists the members that remain; the merge removes all others. */
    static final String RETAIN_KEYS = "$retainKeys";

    /** Followed by the name of a set: lists the scalars to remove from it. */
    static final String DELETE_FROM_SET = "$deleteFromPrimitiveList";

    /** Followed by the name of a list: gives its order after the merge. */
    static final String SET_ORDER = "$setElementOrder";

    private Directives() {}

    /** Returns the name of the member after the slash of a directive. */
    static String target(String key, String directive) {
        if (key.startsWith(directive + "/")) {
            return key.substring(directive.length() + 1);
        }
        throw PatchException.malformed(
                "invalid patch format of " + (directive.equals(SET_ORDER) ? "setElementOrder" : "primitive") + " list");
    }

    static boolean isDelete(JsonValue element) {
        return element instanceof JsonObject object && DELETE.equals(object.get(PATCH));
    }

    /** Returns the data of a patch, without directives, nulls and elements that only give an order. */
    static JsonValue dropFrom(JsonValue patch) {
        if (patch instanceof JsonObject object) {
            JsonObject.Builder data = JsonObject.builder();
            object.members().forEach((name, value) -> {
                if (value != JsonNull.NULL && !isDirective(name)) {
                    data.put(name, dropFrom(value));
                }
            });
            return data.build();
        }
        if (patch instanceof JsonArray array) {
            List<JsonValue> data = new ArrayList<>();
            for (JsonValue element : array) {
                if (!(element instanceof JsonObject object && object.has(PATCH))) {
                    data.add(dropFrom(element));
                }
            }
            return JsonArray.of(data);
        }
        return patch;
    }

    private static boolean isDirective(String name) {
        return name.equals(PATCH)
                || name.equals(RETAIN_KEYS)
                || name.startsWith(DELETE_FROM_SET + "/")
                || name.startsWith(SET_ORDER + "/");
    }
}

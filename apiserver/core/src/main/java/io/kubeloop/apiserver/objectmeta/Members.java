/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.objectmeta;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;

/** Reads members of objects, and copies them from one object to another. Static functions only. */
public final class Members {

    private Members() {}

    /**
     * Returns the object with the given member replaced by that of the other object, or removed if the other object
     * lacks it.
     */
    public static JsonObject take(JsonObject object, String member, JsonObject from) {
        JsonValue value = from.get(member);
        return value == null ? object.without(member) : object.with(member, value);
    }

    /** Returns whether a list contains a text, or the text {@code *}, which stands for any. */
    public static boolean isListed(JsonArray values, String text) {
        return values.strings().anyMatch(each -> each.equals("*") || each.equals(text));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.paths.JsonPath;
import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The fields of a custom resource that field selectors support. */
final class SelectableFields {

    private SelectableFields() {}

    /** Returns the readers of paths such as {@code .spec.color}, which validation has checked; unmodifiable. */
    static Map<String, Function<JsonObject, String>> of(List<String> texts) {
        Map<String, Function<JsonObject, String>> readers = new LinkedHashMap<>();
        for (String text : texts) {
            try {
                JsonPath path = JsonPath.parse(text);
                readers.put(text.substring(1), object -> value(path, object));
            } catch (InvalidJsonPathException e) {
                throw new IllegalArgumentException("invalid selectable field " + text, e);
            }
        }
        return Collections.unmodifiableMap(readers);
    }

    private static String value(JsonPath path, JsonObject object) {
        try {
            List<JsonValue> found = path.select(object);
            return found.isEmpty() || found.get(0) == JsonNull.NULL ? "" : GoText.plain(found.get(0));
        } catch (InvalidJsonPathException e) {
            return ""; // a plain path fits every object
        }
    }
}

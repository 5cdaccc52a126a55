package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.paths.JsonPath;
import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.apiserver.customresources.schema.GoJson;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of a custom resource that field selectors support. Immutable; thread-safe. */
final class SelectableFields {

    private final Map<String, JsonPath> paths;

    private SelectableFields(Map<String, JsonPath> paths) {
        this.paths = paths;
    }

    /** Reads paths such as {@code .spec.color}, which validation has checked. */
    static SelectableFields of(List<String> texts) {
        Map<String, JsonPath> paths = new LinkedHashMap<>();
        for (String text : texts) {
            try {
                paths.put(text.substring(1), JsonPath.parse(text));
            } catch (InvalidJsonPathException e) {
                throw new IllegalArgumentException("invalid selectable field " + text, e);
            }
        }
        return new SelectableFields(paths);
    }

    List<String> names() {
        return List.copyOf(paths.keySet());
    }

    Map<String, String> of(JsonObject object) {
        Map<String, String> values = new LinkedHashMap<>();
        paths.forEach((name, path) -> values.put(name, value(path, object)));
        return values;
    }

    private static String value(JsonPath path, JsonObject object) {
        try {
            List<JsonValue> found = path.select(object);
            return found.isEmpty() || found.get(0) == JsonNull.NULL ? "" : GoJson.plain(found.get(0));
        } catch (InvalidJsonPathException e) {
            return ""; // a plain path fits every object
        }
    }
}

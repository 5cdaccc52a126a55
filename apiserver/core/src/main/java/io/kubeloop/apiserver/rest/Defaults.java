/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of default values with lines such as {@code spec.containers[].ports[].protocol = "TCP"} (upstream: the
 * {@code SetDefaults_} functions of {@code pkg/apis}).
 *
 * <p>A default is set where the field is absent or an empty string. {@code []} selects every element that is an
 * object. If an object on the path is missing, the line has no effect, unless the name of that object starts with
 * {@code +}: then the object is created. Lines are applied in order. Immutable.
 */
public final class Defaults {

    private record Step(String name, boolean each, boolean create) {}

    private record Rule(List<Step> path, JsonValue value) {}

    private final List<Rule> rules;

    private Defaults(List<Rule> rules) {
        this.rules = rules;
    }

    /** Parses a table; empty lines are skipped. */
    public static Defaults parse(String table) {
        return new Defaults(table.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(Defaults::rule)
                .toList());
    }

    private static Rule rule(String line) {
        int equals = line.indexOf(" = ");
        List<Step> path = Arrays.stream(line.substring(0, equals).split("\\."))
                .map(Defaults::step)
                .toList();
        return new Rule(path, JsonValue.parse(line.substring(equals + 3)));
    }

    private static Step step(String text) {
        boolean create = text.startsWith("+");
        boolean each = text.endsWith("[]");
        return new Step(text.substring(create ? 1 : 0, text.length() - (each ? 2 : 0)), each, create);
    }

    /** Returns the object with every missing default set. */
    public JsonObject apply(JsonObject object) {
        JsonObject result = object;
        for (Rule rule : rules) {
            result = apply(result, rule.path(), rule.value());
        }
        return result;
    }

    private static JsonObject apply(JsonObject object, List<Step> path, JsonValue value) {
        Step step = path.get(0);
        JsonValue present = object.get(step.name());
        if (path.size() == 1) {
            return isUnset(present) ? object.with(step.name(), value) : object;
        }
        List<Step> rest = path.subList(1, path.size());
        if (step.each()) {
            return present instanceof JsonArray array ? object.with(step.name(), each(array, rest, value)) : object;
        }
        if (present instanceof JsonObject child) {
            return object.with(step.name(), apply(child, rest, value));
        }
        return present == null && step.create()
                ? object.with(step.name(), apply(JsonObject.EMPTY, rest, value))
                : object;
    }

    private static JsonArray each(JsonArray array, List<Step> path, JsonValue value) {
        List<JsonValue> elements = new ArrayList<>(array.size());
        for (JsonValue element : array) {
            elements.add(element instanceof JsonObject object ? apply(object, path, value) : element);
        }
        return JsonArray.of(elements);
    }

    private static boolean isUnset(@Nullable JsonValue value) {
        return value == null
                || (value instanceof JsonString text && text.value().isEmpty());
    }
}

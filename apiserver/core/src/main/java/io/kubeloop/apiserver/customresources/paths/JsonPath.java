/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.paths;

import io.kubeloop.json.tree.JsonValue;
import java.util.List;

/**
 * A path such as {@code .status.conditions[?(@.type=="Ready")].status}, which selects values. Absent members select
 * nothing. Immutable; thread-safe.
 */
public final class JsonPath {

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = steps;
    }

    /** The path cannot be parsed, or cannot be evaluated for an object. */
    public static final class InvalidJsonPathException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidJsonPathException(String message) {
            super(message, null, false, false);
        }
    }

    /** One part of a path: replaces the selected values by others. */
    @FunctionalInterface
    interface Step {
        List<JsonValue> apply(List<JsonValue> selected) throws InvalidJsonPathException;
    }

    /**
     * Parses a path.
     *
     * @throws InvalidJsonPathException if it is invalid; the message is upstream's
     */
    public static JsonPath parse(String text) throws InvalidJsonPathException {
        return new JsonPath(new JsonPathParser(text).parse());
    }

    /**
     * Returns the selected values, in order.
     *
     * @throws InvalidJsonPathException if the path does not fit the value, such as an index beyond a list
     */
    public List<JsonValue> select(JsonValue value) throws InvalidJsonPathException {
        return select(steps, List.of(value));
    }

    static List<JsonValue> select(List<Step> steps, List<JsonValue> start) throws InvalidJsonPathException {
        List<JsonValue> selected = start;
        for (Step step : steps) {
            selected = step.apply(selected);
        }
        return selected;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.paths;

import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.apiserver.customresources.paths.JsonPath.Step;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects elements of lists: one, or a range with a step.
 *
 * @param from the first index; negative numbers count from the end
 * @param to the index after the last; null for the end of the list
 * @param single whether one element is selected
 * @param step the distance of the selected elements
 */
record Slice(int from, @Nullable Integer to, boolean single, int step) implements Step {

    static Slice of(String from, @Nullable String to, @Nullable String step) throws InvalidJsonPathException {
        int first = from.isEmpty() ? 0 : parse(from);
        boolean single = to == null;
        Integer last = to == null ? (Integer) (first + 1) : to.equals(":") ? null : (Integer) parse(to.substring(1));
        int distance = step == null || step.equals(":") ? 1 : parse(step.substring(1));
        return new Slice(first, last, single, distance);
    }

    private static int parse(String number) throws InvalidJsonPathException {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw new InvalidJsonPathException("array index " + number + " is not a number");
        }
    }

    @Override
    public List<JsonValue> apply(List<JsonValue> selected) throws InvalidJsonPathException {
        List<JsonValue> elements = new ArrayList<>();
        for (JsonValue value : selected) {
            if (value == JsonNull.NULL) {
                continue;
            }
            if (!(value instanceof JsonArray array)) {
                throw new InvalidJsonPathException("the value is not array or slice");
            }
            add(array, elements);
        }
        return elements;
    }

    private void add(JsonArray array, List<JsonValue> elements) throws InvalidJsonPathException {
        int size = array.size();
        int first = from < 0 ? from + size : from;
        int last = to == null ? size : to;
        last = last < 0 || (last == 0 && single) ? last + size : last;
        if (first == last) {
            return;
        }
        if (first >= size || first < 0) {
            throw outOfBounds(first, size);
        }
        if (last > size || last < 0) {
            throw outOfBounds(last - 1, size);
        }
        if (first > last || step <= 0) {
            throw new InvalidJsonPathException(
                    first > last
                            ? "starting index " + first + " is greater than ending index " + last
                            : "step must be > 0");
        }
        for (int i = first; i < last; i += step) {
            elements.add(array.get(i));
        }
    }

    private static InvalidJsonPathException outOfBounds(int index, int length) {
        return new InvalidJsonPathException("array index out of bounds: index " + index + ", length " + length);
    }
}

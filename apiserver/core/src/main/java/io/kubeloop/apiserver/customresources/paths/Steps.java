/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.paths;

import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.apiserver.customresources.paths.JsonPath.Step;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The steps of a path. Static functions only. */
final class Steps {

    private Steps() {}

    static List<JsonValue> member(List<JsonValue> selected, String name) {
        return selected.stream()
                .map(value -> value instanceof JsonObject object ? object.get(name) : null)
                .filter(Objects::nonNull)
                .toList();
    }

    static List<JsonValue> children(List<JsonValue> selected) {
        return selected.stream().flatMap(value -> childrenOf(value).stream()).toList();
    }

    private static Collection<JsonValue> childrenOf(JsonValue value) {
        if (value instanceof JsonObject object) {
            return object.members().values();
        }
        return value instanceof JsonArray array ? array.elements() : List.of();
    }

    /** Selects the values and everything below them that has children. */
    static List<JsonValue> recursive(List<JsonValue> selected) {
        List<JsonValue> all = new ArrayList<>();
        for (JsonValue value : selected) {
            Collection<JsonValue> children = childrenOf(value);
            if (!children.isEmpty()) {
                all.add(value);
                all.addAll(recursive(List.copyOf(children)));
            }
        }
        return all;
    }

    static List<JsonValue> filter(
            List<JsonValue> selected, List<Step> left, @Nullable List<Step> right, String operator)
            throws InvalidJsonPathException {
        List<JsonValue> passed = new ArrayList<>();
        for (JsonValue value : selected) {
            if (!(value instanceof JsonArray array)) {
                throw new InvalidJsonPathException(value + " is not array or slice and cannot be filtered");
            }
            for (JsonValue element : array) {
                if (passes(element, left, right, operator)) {
                    passed.add(element);
                }
            }
        }
        return passed;
    }

    private static boolean passes(JsonValue element, List<Step> left, @Nullable List<Step> right, String operator)
            throws InvalidJsonPathException {
        List<JsonValue> lefts = JsonPath.select(left, List.of(element));
        if (right == null || lefts.isEmpty()) {
            return right == null && !lefts.isEmpty();
        }
        List<JsonValue> rights = JsonPath.select(right, List.of(element));
        if (rights.isEmpty()) {
            return false;
        }
        if (lefts.size() > 1 || rights.size() > 1) {
            throw new InvalidJsonPathException("can only compare one element at a time");
        }
        return compare(lefts.get(0), rights.get(0), operator);
    }

    private static boolean compare(JsonValue left, JsonValue right, String operator) throws InvalidJsonPathException {
        return switch (operator) {
            case "==" -> sameType(left, right) && left.equals(right);
            case "!=" -> !(sameType(left, right) && left.equals(right));
            case "<" -> order(left, right) < 0;
            case "<=" -> order(left, right) <= 0;
            case ">" -> order(left, right) > 0;
            case ">=" -> order(left, right) >= 0;
            default -> throw new InvalidJsonPathException("unrecognized filter operator " + operator);
        };
    }

    private static boolean sameType(JsonValue left, JsonValue right) throws InvalidJsonPathException {
        if (left.getClass() != right.getClass() && left != JsonNull.NULL && right != JsonNull.NULL) {
            throw new InvalidJsonPathException("incompatible types for comparison");
        }
        return true;
    }

    private static int order(JsonValue left, JsonValue right) throws InvalidJsonPathException {
        if (left instanceof JsonNumber one && right instanceof JsonNumber two) {
            return Double.compare(Double.parseDouble(one.text()), Double.parseDouble(two.text()));
        }
        if (left instanceof JsonString one && right instanceof JsonString two) {
            return one.value().compareTo(two.value());
        }
        throw new InvalidJsonPathException("invalid type for comparison");
    }
}

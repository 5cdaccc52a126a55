/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.state;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * One difference between two states.
 *
 * @param path the place of the object and the path inside of it, such as {@code Pod default/web .status.phase}
 * @param expected the value in the first state, as JSON; empty if it has none
 * @param found the value in the second state, as JSON; empty if it has none
 */
public record StateDifference(String path, String expected, String found) {

    /** Stands after the place of objects whose number is not compared. */
    private static final String NUMBER = " (number)";

    /** Longer values are cut in texts. */
    private static final int WIDTH = 160;

    /**
     * Returns the differences between two states, in the order of their paths. Of the objects with one place, those are
     * compared that differ least, since their order means nothing. O(size of both), and quadratic in the number of
     * objects with one place.
     *
     * @param ignored paths that are not compared
     */
    public static List<StateDifference> between(EndState expected, EndState found, Predicate<String> ignored) {
        Map<String, List<JsonValue>> before = expected.byPlace();
        Map<String, List<JsonValue>> after = found.byPlace();
        List<StateDifference> all = new ArrayList<>();
        Set<String> places = new TreeSet<>(before.keySet());
        places.addAll(after.keySet());
        for (String place : places) {
            match(place, before.getOrDefault(place, List.of()), after.getOrDefault(place, List.of()), ignored, all);
        }
        return List.copyOf(all);
    }

    private static void match(
            String place,
            List<JsonValue> before,
            List<JsonValue> after,
            Predicate<String> ignored,
            List<StateDifference> all) {
        List<JsonValue> left = new ArrayList<>(after);
        List<JsonValue> unmatched = new ArrayList<>();
        for (JsonValue each : before) {
            Optional<JsonValue> same = left.stream()
                    .filter(candidate ->
                            differences(place, each, candidate, ignored).isEmpty())
                    .findFirst();
            same.ifPresentOrElse(left::remove, () -> unmatched.add(each));
        }
        if (ignored.test(place + NUMBER) && unmatched.size() != left.size()) {
            return; // which of them are too much, or missing, nothing says
        }
        for (JsonValue each : unmatched) {
            List<StateDifference> least = differences(place, each, JsonNull.NULL, ignored);
            JsonValue nearest = JsonNull.NULL;
            for (JsonValue candidate : left) {
                List<StateDifference> other = differences(place, each, candidate, ignored);
                if (nearest instanceof JsonNull || other.size() < least.size()) {
                    nearest = candidate;
                    least = other;
                }
            }
            left.remove(nearest);
            all.addAll(least);
        }
        left.forEach(each -> all.addAll(differences(place, JsonNull.NULL, each, ignored)));
    }

    /** Returns the path to ignore if this means nothing. A whole object stands for the number of them. */
    public String ignorable() {
        return path.contains(" .") ? path : path + NUMBER;
    }

    private static List<StateDifference> differences(
            String place, JsonValue before, JsonValue after, Predicate<String> ignored) {
        List<StateDifference> all = new ArrayList<>();
        compare(place + " ", before, after, ignored, all);
        return all;
    }

    private static void compare(
            String path, JsonValue before, JsonValue after, Predicate<String> ignored, List<StateDifference> all) {
        if (before.equals(after) || ignored.test(path.strip())) {
            return;
        }
        if (before instanceof JsonObject first && after instanceof JsonObject second) {
            Set<String> names = new TreeSet<>(first.members().keySet());
            names.addAll(second.members().keySet());
            for (String name : names) {
                compare(path + "." + name, member(first, name), member(second, name), ignored, all);
            }
        } else if (before instanceof JsonArray first
                && after instanceof JsonArray second
                && first.size() == second.size()) {
            for (int i = 0; i < first.size(); i++) {
                compare(path + "[" + i + "]", first.get(i), second.get(i), ignored, all);
            }
        } else if (!isAbsent(before, after, path, ignored) && !isAbsent(after, before, path, ignored)) {
            all.add(new StateDifference(path.strip(), text(before), text(after)));
        }
    }

    private static boolean isAbsent(JsonValue value, JsonValue other, String path, Predicate<String> ignored) {
        return value instanceof JsonNull && consistsOf(ignored, path, other);
    }

    /** Returns whether an object has members, and none of them is compared. */
    private static boolean consistsOf(Predicate<String> ignored, String path, JsonValue value) {
        return value instanceof JsonObject object
                && !object.isEmpty()
                && object.members().entrySet().stream().allMatch(member -> {
                    String inner = path + "." + member.getKey();
                    return ignored.test(inner.strip()) || consistsOf(ignored, inner, member.getValue());
                });
    }

    private static JsonValue member(JsonObject object, String name) {
        return object.members().getOrDefault(name, JsonNull.NULL);
    }

    private static String text(JsonValue value) {
        return value instanceof JsonNull ? "" : value.toString();
    }

    /** Returns one line. */
    @Override
    public String toString() {
        if (expected.isEmpty()) {
            return path + ": too much: " + cut(found);
        }
        return found.isEmpty()
                ? path + ": missing: " + cut(expected)
                : path + ": expected " + cut(expected) + ", found " + cut(found);
    }

    private static String cut(String text) {
        return text.length() <= WIDTH ? text : text.substring(0, WIDTH) + "...";
    }
}

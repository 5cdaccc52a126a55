/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.table;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One object of a table, with the helpers that compute its cells.
 *
 * @param object the object
 * @param now the current time, for ages
 * @param list the objects of the list that the table shows; empty for a single object
 */
public record Row(JsonObject object, Instant now, List<JsonObject> list) {

    /** kubectl's text for an absent value. */
    public static final String NONE = "<none>";

    /** Returns the same row with another form of the object. */
    public Row of(JsonObject form) {
        return new Row(form, now, list);
    }

    /** Returns the string at a path; {@code <none>} if it is absent or empty. */
    public String text(String... path) {
        return orNone(object.string(path));
    }

    /** Returns the number at a path; 0 if it is absent. */
    public long count(String... path) {
        Long number = object.number(path);
        return number == null ? 0 : number;
    }

    /** Returns the time since the timestamp at a path. */
    public String age(String... path) {
        return HumanDuration.since(object.string(path), now);
    }

    /** Returns the labels at a path as a selector string, sorted. */
    public String labels(String... path) {
        return labels(object.object(path));
    }

    /** Returns the label selector at a path as a string, its requirements sorted by key. */
    public String selector(String... path) {
        JsonObject selector = object.object(path);
        JsonObject equal = selector.object("matchLabels");
        Stream<Map.Entry<String, String>> labels =
                equal.members().keySet().stream().map(key -> Map.entry(key, key + "=" + equal.string(key)));
        Stream<Map.Entry<String, String>> expressions = selector.array("matchExpressions")
                .objects()
                .map(expression -> Map.entry(expression.string("key"), requirement(expression)));
        return orNone(Stream.concat(labels, expressions)
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .collect(Collectors.joining(",")));
    }

    private static String requirement(JsonObject expression) {
        String key = expression.string("key");
        String values = expression.array("values").strings().sorted().collect(Collectors.joining(",", "(", ")"));
        return switch (expression.string("operator")) {
            case "In" -> key + " in " + values;
            case "NotIn" -> key + " notin " + values;
            case "DoesNotExist" -> "!" + key;
            default -> key;
        };
    }

    private static String labels(JsonObject labels) {
        Map<String, String> sorted = new TreeMap<>();
        labels.members().keySet().forEach(key -> sorted.put(key, labels.string(key)));
        return orNone(sorted.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",")));
    }

    /** Returns one member of each object of a list, joined by commas. */
    public static String joined(JsonArray list, String member) {
        return list.objects().map(element -> element.string(member)).collect(Collectors.joining(","));
    }

    public static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }
}

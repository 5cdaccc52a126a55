package io.kubeloop.transport.memory.http.table;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One object on its way into a table.
 *
 * @param object the object
 * @param now the time that ages are told by
 */
record Row(JsonObject object, Instant now) {

    /** What kubectl shows for nothing. */
    static final String NONE = "<none>";

    /** Returns the string at the path, {@code <none>} if it is absent or empty. */
    String text(String... path) {
        return orNone(object.string(path));
    }

    /** Returns the number at the path, 0 if it is absent. */
    long count(String... path) {
        Long number = object.number(path);
        return number == null ? 0 : number;
    }

    /** Returns the time since the time stamp at the path. */
    String age(String... path) {
        return HumanDuration.since(object.string(path), now);
    }

    /** Returns the labels at the path as selector text, sorted. */
    String labels(String... path) {
        return labels(object.object(path));
    }

    /** Returns a label selector object as selector text. */
    String selector(String... path) {
        JsonObject selector = object.object(path);
        String text = labels(selector.object("matchLabels"));
        String expressions = selector.array("matchExpressions")
                .objects()
                .map(Row::requirement)
                .collect(Collectors.joining(","));
        if (expressions.isEmpty()) {
            return text;
        }
        return text.equals(NONE) ? expressions : text + "," + expressions;
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
    static String joined(JsonArray list, String member) {
        return list.objects().map(element -> element.string(member)).collect(Collectors.joining(","));
    }

    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }
}

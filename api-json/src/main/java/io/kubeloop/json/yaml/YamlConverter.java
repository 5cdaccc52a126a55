/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Converts the nodes of documents to trees. Not thread-safe; for one stream, whose documents share its limits. */
final class YamlConverter {

    /** The tag of scalars without quotes and without a tag. */
    static final Tag PLAIN = new Tag("plain");

    private static final int MAX_VALUES = 1_000_000;

    /** The most characters that aliases may repeat. A short text could otherwise stand for gigabytes. */
    private static final int MOST_REPEATED = 8 << 20;

    /** Aliases can nest a collection into itself, which the composer does not count as depth. */
    private static final int MAX_DEPTH = 200;

    private final boolean lastKeyCounts;
    private final long mostCharacters;
    private int values;
    private long characters;

    /**
     * Makes a converter.
     *
     * @param lastKeyCounts whether a map may have a key twice
     * @param length the number of characters of the stream
     */
    YamlConverter(boolean lastKeyCounts, int length) {
        this.lastKeyCounts = lastKeyCounts;
        mostCharacters = (long) length + MOST_REPEATED;
    }

    /** A node that cannot be converted. */
    static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int line;

        Refused(Node node, String message) {
            super(message);
            line = YamlConverter.line(node);
        }

        int line() {
            return line;
        }
    }

    static int line(Node node) {
        return node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
    }

    JsonValue convert(Node node) {
        return convert(node, 0);
    }

    private JsonValue convert(Node node, int depth) {
        if (++values > MAX_VALUES) {
            throw new Refused(node, "more than " + MAX_VALUES + " values after aliases are expanded");
        }
        if (node instanceof ScalarNode scalar) {
            count(scalar);
        }
        if (depth > MAX_DEPTH) {
            throw new Refused(node, "nested deeper than " + MAX_DEPTH + " levels");
        }
        if (node instanceof MappingNode mapping) {
            return convertMapping(mapping, depth);
        }
        if (node instanceof SequenceNode sequence) {
            List<JsonValue> elements = new ArrayList<>();
            for (Node element : sequence.getValue()) {
                elements.add(convert(element, depth + 1));
            }
            return JsonArray.of(elements);
        }
        return convertScalar((ScalarNode) node);
    }

    private void count(ScalarNode scalar) {
        characters += scalar.getValue().length();
        if (characters > mostCharacters) {
            throw new Refused(scalar, "more than " + MOST_REPEATED + " repeated characters after aliases are expanded");
        }
    }

    private JsonObject convertMapping(MappingNode mapping, int depth) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        Map<String, JsonValue> merged = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (isMergeKey(entry.getKeyNode())) {
                merge(merged, entry.getValueNode(), depth);
                continue;
            }
            if (entry.getKeyNode() instanceof ScalarNode scalar) {
                count(scalar);
            }
            String key = key(entry.getKeyNode());
            if (members.put(key, convert(entry.getValueNode(), depth + 1)) != null && !lastKeyCounts) {
                throw new Refused(entry.getKeyNode(), "the key \"" + key + "\" occurs twice");
            }
        }
        merged.forEach(members::putIfAbsent);
        return JsonObject.of(members);
    }

    private static boolean isMergeKey(Node key) {
        return key instanceof ScalarNode scalar
                && scalar.getValue().equals("<<")
                && (scalar.getTag().equals(PLAIN) || scalar.getTag().equals(Tag.MERGE));
    }

    private void merge(Map<String, JsonValue> merged, Node source, int depth) {
        if (source instanceof SequenceNode sequence) {
            for (Node element : sequence.getValue()) {
                merge(merged, element, depth + 1);
            }
        } else if (source instanceof MappingNode && convert(source, depth + 1) instanceof JsonObject object) {
            object.members().forEach(merged::putIfAbsent);
        } else {
            throw new Refused(source, "a merge key (<<) needs a map or a list of maps");
        }
    }

    /** Returns a key as a string, because JSON allows only strings: numbers and booleans become their resolved text. */
    private static String key(Node key) {
        if (key instanceof ScalarNode scalar) {
            JsonValue value = convertScalar(scalar);
            if (value != JsonNull.NULL) {
                return value instanceof JsonString string ? string.value() : value.toString();
            }
        }
        throw new Refused(key, "a key of a map should be a string");
    }

    private static JsonValue convertScalar(ScalarNode node) {
        String text = node.getValue();
        Tag tag = node.getTag();
        if (tag.equals(PLAIN) || tag.equals(Tag.BOOL) || tag.equals(Tag.NULL)) {
            JsonValue value = YamlScalar.resolve(text);
            if (value == null) {
                throw new Refused(node, "JSON has no number for \"" + text + "\"");
            }
            return value;
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            JsonNumber number = YamlScalar.number(text);
            if (number == null) {
                throw new Refused(node, "\"" + text + "\" is not a number");
            }
            return number;
        }
        if (tag.equals(Tag.BINARY)) {
            return new JsonString(decodeBinary(node, text));
        }
        return new JsonString(text);
    }

    private static String decodeBinary(ScalarNode node, String text) {
        try {
            return new String(Base64.getDecoder().decode(text.replaceAll("\\s", "")), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refused(node, "!!binary that is not base64: " + e.getMessage());
        }
    }
}

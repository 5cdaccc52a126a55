/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Writes trees as kube-apiserver writes YAML: in blocks, with sorted keys. Holds no state. */
public final class YamlWriter {

    /** Plain text that a YAML 1.1 parser would not read as a string. SnakeYAML's own rules differ in details. */
    private static final Resolver RESOLVER = new Resolver();

    private YamlWriter() {}

    /** Returns the document with a line break at its end. */
    public static String write(JsonValue value) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setSplitLines(true);
        StringWriter out = new StringWriter();
        new Yaml(options).serialize(node(value), out);
        return out.toString();
    }

    private static Node node(JsonValue value) {
        if (value instanceof JsonObject object) {
            List<NodeTuple> members = new ArrayList<>();
            new TreeMap<>(object.members())
                    .forEach((name, member) -> members.add(new NodeTuple(text(name), node(member))));
            return new MappingNode(Tag.MAP, members, members.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
        }
        if (value instanceof JsonArray array) {
            List<Node> elements = new ArrayList<>();
            array.forEach(element -> elements.add(node(element)));
            return new SequenceNode(Tag.SEQ, elements, elements.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
        }
        if (value instanceof JsonString string) {
            return text(string.value());
        }
        String text = value instanceof JsonNumber number ? number.text() : value.toString();
        Tag resolved = RESOLVER.resolve(NodeId.scalar, text, true);
        return new ScalarNode(resolved, text, null, null, ScalarStyle.PLAIN);
    }

    private static ScalarNode text(String text) {
        ScalarStyle style = ScalarStyle.PLAIN;
        if (text.contains("\n")) {
            style = ScalarStyle.LITERAL;
        } else if (!RESOLVER.resolve(NodeId.scalar, text, true).equals(Tag.STR)
                || !(YamlScalar.resolve(text) instanceof JsonString)) {
            style = ScalarStyle.DOUBLE_QUOTED;
        }
        return new ScalarNode(Tag.STR, text, null, null, style);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import io.kubeloop.json.gotext.GoText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.scanner.ScannerException;

/**
 * Syntax errors in the words of Go's YAML library. Both libraries descend from libyaml, so their errors
 * correspond. Thread-safe: stateless.
 */
final class GoYamlErrors {

    private static final Pattern EXPECTED =
            Pattern.compile("expected (?:the )?(.+?), but (?:got|found) .*", Pattern.DOTALL);
    private static final Pattern NO_TOKEN =
            Pattern.compile("found character .* that cannot start any token.*", Pattern.DOTALL);
    private static final String UNKNOWN_ESCAPE = "found unknown escape character";
    private static final Pattern ALIAS = Pattern.compile("found undefined alias (.*)");

    private GoYamlErrors() {}

    static String message(MarkedYAMLException error) {
        int line = line(error.getContextMark());
        if (line == 0) {
            line = line(error.getProblemMark());
        }
        if (line == 0 && isAtEnd(error)) {
            line = 1;
        }
        if (line != 0 && error instanceof ScannerException) {
            line++; // the parser's lines count from one, the scanner's from zero
        }
        String problem = problem(String.valueOf(error.getContext()), String.valueOf(error.getProblem()));
        return (line == 0 ? "" : "line " + line + ": ") + problem;
    }

    /** At the end of a text, libyaml moves to the next line. */
    private static boolean isAtEnd(MarkedYAMLException error) {
        Mark mark = error.getProblemMark();
        return mark != null
                && mark.getColumn() != 0
                && String.valueOf(error.getProblem()).contains("<stream end>");
    }

    private static int line(@Nullable Mark mark) {
        return mark == null ? 0 : mark.getLine();
    }

    /** Returns the duplicate keys of a document with their lines. */
    static List<String> duplicateKeys(Node document) {
        List<String> found = new ArrayList<>();
        collect(document, found, Collections.newSetFromMap(new IdentityHashMap<>()));
        return found;
    }

    /** Aliases make a document a graph, so each node is visited once. */
    private static void collect(Node node, List<String> found, Set<Node> visited) {
        if (!visited.add(node)) {
            return;
        }
        if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(element -> collect(element, found, visited));
        } else if (node instanceof MappingNode mapping) {
            Set<String> keys = new HashSet<>();
            for (NodeTuple entry : mapping.getValue()) {
                collect(entry.getValueNode(), found, visited);
                if (entry.getKeyNode() instanceof ScalarNode key && !keys.add(key.getValue())) {
                    int line = entry.getValueNode().getStartMark().getLine() + 1;
                    found.add("line " + line + ": key " + GoText.quoted(key.getValue()) + " already set in map");
                }
            }
        }
    }

    private static String problem(String context, String problem) {
        Matcher expected = EXPECTED.matcher(problem);
        if (expected.matches()) {
            boolean endsBlock = expected.group(1).equals("<block end>");
            String wanted = expected.group(1);
            if (endsBlock) {
                wanted = context.contains("mapping") ? "key" : "'-' indicator";
            }
            return "did not find expected " + wanted;
        }
        Matcher alias = ALIAS.matcher(problem);
        if (alias.matches()) {
            return "unknown anchor '" + alias.group(1) + "' referenced";
        }
        if (problem.startsWith(UNKNOWN_ESCAPE)) {
            // SnakeYAML shows a character with its code in parentheses, and a code that is no character without.
            return problem.endsWith(")") ? UNKNOWN_ESCAPE : "found invalid Unicode character escape code";
        }
        if (NO_TOKEN.matcher(problem).matches()) {
            return "found character that cannot start any token";
        }
        return problem.equals("mapping values are not allowed here")
                ? "mapping values are not allowed in this context"
                : problem;
    }
}

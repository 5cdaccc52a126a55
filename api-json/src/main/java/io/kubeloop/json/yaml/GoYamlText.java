/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The characters and escapes that Go's YAML library rejects and SnakeYAML accepts. All methods take time linear in the
 * text. Thread-safe: stateless.
 */
final class GoYamlText {

    /** The character that ends a line in YAML 1.1, but not in SnakeYAML. */
    private static final char NEXT_LINE = 0x85;

    private static final String ESCAPE = "found invalid Unicode character escape code";

    private GoYamlText() {}

    /** A text that Go's library rejects. The message is that of Go. */
    static final class RefusedTextException extends YAMLException {

        private static final long serialVersionUID = 1L;

        RefusedTextException(String message) {
            super(message);
        }
    }

    /** Returns whether JSON in the text does not mean the same as YAML. */
    static boolean hasNextLine(String text) {
        return text.indexOf(NEXT_LINE) >= 0;
    }

    /** Returns the text with the same line ends for both libraries. */
    static String normalized(String text) {
        return text.replace(NEXT_LINE, '\n');
    }

    /**
     * Checks the characters of a text.
     *
     * @throws RefusedTextException if YAML does not allow one of them
     */
    static void checkCharacters(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isAllowed(text.charAt(i))) {
                throw new RefusedTextException("control characters are not allowed");
            }
        }
    }

    /** Both halves of a pair are allowed: a decoder of UTF-8 returns no single ones. */
    private static boolean isAllowed(char c) {
        return c < ' '
                ? c == '\t' || c == '\n' || c == '\r'
                : c <= '~' || c == NEXT_LINE || (c >= 0xa0 && c != 0xfffe && c != 0xffff);
    }

    /**
     * Checks the escapes of a text in JSON, where a backslash occurs in strings only.
     *
     * @throws RefusedTextException if an escape is one half of a surrogate pair
     */
    static void checkEscapes(String json) {
        checkEscapes(json, 0, json.length(), 0);
    }

    /** Checks the escapes in the documents of one text, in time linear in the text. Not thread-safe. */
    static final class Escapes {

        private final String text;
        private final boolean any;
        private int point;
        private int offset;

        Escapes(String text) {
            this.text = text;
            this.any = text.contains("\\u") || text.contains("\\U");
        }

        /**
         * Checks the escapes of the strings in a document; documents must be checked in their order.
         *
         * @throws RefusedTextException if an escape is not a character
         */
        void check(Node document) {
            if (!any) {
                return;
            }
            Set<Node> visited = Collections.newSetFromMap(new IdentityHashMap<>());
            Deque<Node> pending = new ArrayDeque<>();
            pending.push(document);
            while (!pending.isEmpty()) {
                Node node = pending.pop();
                if (!visited.add(node)) {
                    continue; // an alias of a node that was visited
                }
                if (node instanceof SequenceNode sequence) {
                    pushInOrder(sequence.getValue(), pending);
                } else if (node instanceof MappingNode mapping) {
                    List<Node> nodes = new ArrayList<>();
                    for (NodeTuple entry : mapping.getValue()) {
                        nodes.add(entry.getKeyNode());
                        nodes.add(entry.getValueNode());
                    }
                    pushInOrder(nodes, pending);
                } else if (node instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED) {
                    int start = offset(scalar.getStartMark().getIndex());
                    int end = offset(scalar.getEndMark().getIndex());
                    checkEscapes(text, start, end, scalar.getStartMark().getLine());
                }
            }
        }

        private static void pushInOrder(List<Node> nodes, Deque<Node> pending) {
            for (int i = nodes.size() - 1; i >= 0; i--) {
                pending.push(nodes.get(i));
            }
        }

        /** Returns the offset of a code point, which SnakeYAML's marks count. It moves forward from the last one. */
        private int offset(int ofPoint) {
            offset = text.offsetByCodePoints(offset, ofPoint - point);
            point = ofPoint;
            return offset;
        }
    }

    private static void checkEscapes(String text, int start, int end, int firstLine) {
        int line = firstLine;
        for (int i = start; i < end - 1; i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line++;
            } else if (c == '\\') {
                i++;
                int digits = text.charAt(i) == 'u' ? 4 : text.charAt(i) == 'U' ? 8 : 0;
                if (digits > 0 && i + digits < end && !isCharacter(text, i + 1, digits)) {
                    // Go's library states the line at which the string begins, and none for the first line.
                    int stated = firstLine == 0 ? line : firstLine;
                    throw new RefusedTextException(stated == 0 ? ESCAPE : "line " + (stated + 1) + ": " + ESCAPE);
                }
            }
        }
    }

    private static boolean isCharacter(String text, int from, int digits) {
        long code = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return true; // the parser reports it
            }
            code = code * 16 + digit;
        }
        return code <= Character.MAX_CODE_POINT && (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE);
    }
}

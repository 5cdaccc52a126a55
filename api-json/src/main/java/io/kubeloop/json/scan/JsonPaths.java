/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.scan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/**
 * Describes a position in a document, and the token at this position, for error messages. Slow, because it is used for
 * errors only. Thread-safe: stateless.
 */
final class JsonPaths {

    private static final int QUOTED = 40;
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\w-]+");

    private JsonPaths() {}

    /** One open array or object: the element's index, or the member's name. */
    private static final class Level {
        final boolean array;
        int index;
        String name = "";
        boolean expectsName;

        Level(boolean array) {
            this.array = array;
            expectsName = !array;
        }

        @Override
        public String toString() {
            if (array) {
                return "[" + index + "]";
            }
            if (name.isEmpty()) {
                return "";
            }
            return PLAIN_NAME.matcher(name).matches() ? "." + name : "['" + name + "']";
        }
    }

    /**
     * Returns the path of the value that contains {@code place}, relative to the value that begins at {@code from}. The
     * text up to that place must be well-formed.
     *
     * @param inObject whether the text begins inside an object
     */
    static String to(byte[] text, int from, int place, boolean inObject) {
        Deque<Level> levels = new ArrayDeque<>();
        if (inObject) {
            levels.add(new Level(false));
        }
        for (int i = from; i < place; i++) {
            switch (text[i]) {
                case '{' -> levels.add(new Level(false));
                case '[' -> levels.add(new Level(true));
                case '}', ']' -> levels.pollLast();
                case ',' -> {
                    Level level = levels.peekLast();
                    if (level != null) {
                        level.index++;
                        level.expectsName = !level.array;
                        level.name = "";
                    }
                }
                case '"' -> {
                    int end = endOfString(text, i + 1, place);
                    Level level = levels.peekLast();
                    if (level != null && level.expectsName && end < place) {
                        level.name = JsonText.unescape(text, i + 1, end);
                        level.expectsName = false;
                    }
                    i = end;
                }
                default -> {}
            }
        }
        StringBuilder path = new StringBuilder();
        levels.forEach(path::append);
        return path.toString();
    }

    private static int endOfString(byte[] text, int from, int limit) {
        int i = from;
        while (i < limit && text[i] != '"') {
            i += text[i] == '\\' ? 2 : 1;
        }
        return Math.min(i, limit);
    }

    /** Returns a description of the token at this position. */
    static String describe(byte[] text, int place, int limit) {
        if (place >= limit) {
            return "the end of the input";
        }
        byte c = text[place];
        if (c == '{') {
            return "an object";
        }
        if (c == '[') {
            return "an array";
        }
        int end = place + 1;
        if (c == '"') {
            end = Math.min(endOfString(text, end, limit) + 1, limit);
            return "the string " + quote(text, place, end);
        }
        while (end < limit && isWord(text[end])) {
            end++;
        }
        if (c == '-' || (c >= '0' && c <= '9')) {
            return "the number " + quote(text, place, end);
        }
        return isWord(c) ? quote(text, place, end) : describeCharacter(c);
    }

    private static String describeCharacter(byte c) {
        return c > ' ' ? "'" + (char) c + "'" : String.format("the byte 0x%02x", c & 0xFF);
    }

    private static boolean isWord(byte c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '.'
                || c == '+'
                || c == '-';
    }

    private static String quote(byte[] text, int from, int to) {
        return to - from <= QUOTED
                ? new String(text, from, to - from, StandardCharsets.UTF_8)
                : new String(text, from, QUOTED, StandardCharsets.UTF_8) + "...";
    }
}

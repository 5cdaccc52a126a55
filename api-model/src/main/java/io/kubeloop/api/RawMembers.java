/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the raw members of a JSON object, {@code "name":value,"name":value}. It finds where values begin and
 * end, and does not parse them. The text must be well-formed; a codec has checked it.
 *
 * <p>The static methods find and replace a member by its path. They leave every other byte unchanged. O(n) in the
 * bytes.
 */
final class RawMembers {

    private static final int[] NONE = new int[0];

    private final byte[] text;
    private final int end;
    private int at;

    /** Start of the current member, after the comma that precedes it. */
    private int begin;

    private int nameBegin;
    private int nameEnd;
    private int valueBegin;
    private int valueEnd;

    RawMembers(byte[] text, int start, int end) {
        this.text = text;
        this.at = start;
        this.end = end;
    }

    /**
     * Finds a member by its name.
     *
     * @return begin and end of the bytes to cut out: the member and one comma beside it; an empty array if there is no
     *     such member
     */
    static int[] find(byte[] text, int start, int end, String name) {
        RawMembers members = new RawMembers(text, start, end);
        if (!members.moveTo(name)) {
            return NONE;
        }
        boolean last = members.at >= end;
        // The comma that follows is cut too. The last member has none, so the comma before it is cut.
        return new int[] {last && members.begin > start ? members.begin - 1 : members.begin, last ? end : members.at};
    }

    /**
     * Returns begin and end of the value at the path, or an empty array if a member on the path is absent or not an
     * object.
     */
    static int[] value(byte[] text, int start, int end, List<String> path) {
        int from = start;
        int to = end;
        for (int i = 0; i < path.size(); i++) {
            RawMembers members = new RawMembers(text, from, to);
            if (!members.moveTo(path.get(i))) {
                return NONE;
            }
            from = members.valueBegin;
            to = members.valueEnd;
            if (i < path.size() - 1) {
                if (text[from] != '{') {
                    return NONE;
                }
                from++;
                to--;
            }
        }
        return new int[] {from, to};
    }

    /** Returns a copy of the members without the member at the path. */
    static byte[] without(byte[] text, int start, int end, List<String> path) {
        int[] parent = inside(text, start, end, path.subList(0, path.size() - 1));
        int[] cut = parent.length == 0 ? NONE : find(text, parent[0], parent[1], path.get(path.size() - 1));
        return cut.length == 0 ? Arrays.copyOfRange(text, start, end) : splice(text, start, end, cut, new byte[0]);
    }

    private static int[] inside(byte[] text, int start, int end, List<String> path) {
        if (path.isEmpty()) {
            return new int[] {start, end};
        }
        int[] value = value(text, start, end, path);
        return value.length == 0 || text[value[0]] != '{' ? NONE : new int[] {value[0] + 1, value[1] - 1};
    }

    /**
     * Returns a copy of the members with this JSON value at the path. Absent members, and those of other types, become
     * objects.
     */
    static byte[] with(byte[] text, int start, int end, List<String> path, String json) {
        int depth = path.size() - 1;
        int[] parent = inside(text, start, end, path.subList(0, depth));
        while (parent.length == 0) {
            depth--;
            parent = inside(text, start, end, path.subList(0, depth));
        }
        StringBuilder value = new StringBuilder();
        for (String name : path.subList(depth + 1, path.size())) {
            JsonStrings.quote(value.append('{'), name);
            value.append(':');
        }
        value.append(json).append("}".repeat(path.size() - depth - 1));
        RawMembers members = new RawMembers(text, parent[0], parent[1]);
        if (members.moveTo(path.get(depth))) {
            return splice(text, start, end, new int[] {members.valueBegin, members.valueEnd}, bytes(value));
        }
        StringBuilder member = new StringBuilder(members.valueEnd > 0 ? "," : "");
        JsonStrings.quote(member, path.get(depth));
        member.append(':').append(value);
        return splice(text, start, end, new int[] {parent[1], parent[1]}, bytes(member));
    }

    private static byte[] bytes(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] splice(byte[] text, int start, int end, int[] cut, byte[] replacement) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(end - start + replacement.length);
        out.write(text, start, cut[0] - start);
        out.writeBytes(replacement);
        out.write(text, cut[1], end - cut[1]);
        return out.toByteArray();
    }

    private boolean moveTo(String wanted) {
        byte[] plain = wanted.getBytes(StandardCharsets.UTF_8);
        while (next()) {
            if (Arrays.equals(text, nameBegin + 1, nameEnd - 1, plain, 0, plain.length)
                    || (hasEscape() && name().equals(wanted))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasEscape() {
        for (int i = nameBegin; i < nameEnd; i++) {
            if (text[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    /** Moves to the next member. Returns false if there is none. */
    boolean next() {
        begin = at;
        skipSpace();
        if (at >= end) {
            return false;
        }
        nameBegin = at;
        skipString();
        nameEnd = at;
        skipSpace();
        at++; // the colon
        readValue();
        return true;
    }

    /** Moves to the next element, if the text is the inside of an array. Returns false if there is none. */
    boolean nextElement() {
        skipSpace();
        if (at >= end) {
            return false;
        }
        readValue();
        return true;
    }

    private void readValue() {
        skipSpace();
        valueBegin = at;
        skipValue();
        valueEnd = at;
        while (text[valueEnd - 1] <= ' ' && text[valueEnd - 1] >= 0) {
            valueEnd--;
        }
        if (at < end) {
            at++; // the comma
        }
    }

    /** Returns the name of the current member. */
    String name() {
        return RawValues.string(text, nameBegin, nameEnd);
    }

    /** Returns the value of the current member or element; see {@link RawValues#parse}. */
    @Nullable
    Object value() {
        return RawValues.parse(text, valueBegin, valueEnd);
    }

    private void skipSpace() {
        while (at < end && text[at] <= ' ' && text[at] >= 0) {
            at++;
        }
    }

    /** Moves past the string that begins here. */
    private void skipString() {
        at++;
        while (text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        at++;
    }

    /** Moves past the value, to the next comma or the end. */
    private void skipValue() {
        int depth = 0;
        while (at < end) {
            byte c = text[at];
            if (c == '"') {
                skipString();
                continue;
            }
            if (c == ',' && depth == 0) {
                return;
            }
            if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
            at++;
        }
    }
}

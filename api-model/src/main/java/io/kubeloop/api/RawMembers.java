package io.kubeloop.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over the raw members of a JSON object, {@code "name":value,"name":value}, without reading values. The text is known
 * to be well-formed: a codec has been through it.
 */
final class RawMembers {

    private static final int[] NONE = new int[0];

    private final byte[] text;
    private final int end;
    private int at;

    private RawMembers(byte[] text, int start, int end) {
        this.text = text;
        this.at = start;
        this.end = end;
    }

    /**
     * Finds a member by its name.
     *
     * @return where to cut, begin and end, so that what is left are members again: the member and one comma beside it; an
     *     empty array if there is no such member
     */
    static int[] find(byte[] text, int start, int end, String name) {
        byte[] wanted = ('"' + name + '"').getBytes(StandardCharsets.UTF_8);
        RawMembers members = new RawMembers(text, start, end);
        int begin = start;
        while (members.at < end) {
            members.skipSpace();
            int nameBegin = members.at;
            members.skipString();
            boolean found = Arrays.equals(text, nameBegin, members.at, wanted, 0, wanted.length);
            members.skipValue();
            if (found) {
                boolean last = members.at >= end;
                // The comma behind goes with it; behind the last member there is none, so the one before goes.
                return new int[] {last && begin > start ? begin - 1 : begin, last ? end : members.at + 1};
            }
            members.at++;
            begin = members.at;
        }
        return NONE;
    }

    private void skipSpace() {
        while (text[at] <= ' ') {
            at++;
        }
    }

    /** Moves behind the string that begins here. */
    private void skipString() {
        at++;
        while (text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        at++;
    }

    /** Moves behind colon and value, to the comma that follows or the end. */
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

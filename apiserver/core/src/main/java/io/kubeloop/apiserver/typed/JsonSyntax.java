/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.json.gotext.GoText;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first syntax error of a JSON document and describes it as Go does (upstream: {@code encoding/json}). It
 * runs only after a decoder has failed, and reads the document a second time. Confined to one thread.
 */
final class JsonSyntax {

    private static final int MAX_DEPTH = 10_000;

    private final byte[] text;
    private int at;

    /**
     * One bit for each open container, true for an object. It replaces a recursion, which would exhaust the stack on a
     * deep document.
     */
    private final BitSet objects = new BitSet();

    private int depth;

    private JsonSyntax(byte[] text) {
        this.text = text;
    }

    /** The first syntax error, which ends the check. */
    private static final class SyntaxException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        SyntaxException(String message) {
            super(message, null, false, false);
        }
    }

    /** Returns the message of the first error; null if the document is correct. */
    static @Nullable String firstError(byte[] text) {
        try {
            new JsonSyntax(text).document();
            return null;
        } catch (SyntaxException e) {
            return e.getMessage();
        }
    }

    private void document() {
        do {
            boolean valueFollows = opens(token());
            while (!valueFollows && depth > 0) {
                valueFollows = continues();
            }
        } while (depth > 0);
        if (token() != -1) {
            throw invalid("after top-level value");
        }
    }

    /**
     * Reads a scalar or the start of a container. Returns whether it read the start of a container that is not empty,
     * so its first value follows.
     */
    private boolean opens(int first) {
        if (first != '{' && first != '[') {
            scalar(first);
            return false;
        }
        if (depth == MAX_DEPTH) {
            throw invalid("exceeded max depth");
        }
        objects.set(depth++, first == '{');
        at++;
        if (token() == (first == '{' ? '}' : ']')) {
            at++;
            depth--;
            return false;
        }
        if (first == '{') {
            key();
        }
        return true;
    }

    /** Reads the comma or the end after a value in a container. Returns whether another value follows. */
    private boolean continues() {
        boolean object = objects.get(depth - 1);
        int next = token();
        if (next == (object ? '}' : ']')) {
            at++;
            depth--;
            return false;
        }
        if (next != ',') {
            throw unexpected(object ? "after object key:value pair" : "after array element");
        }
        at++;
        if (object) {
            key();
        }
        return true;
    }

    private void key() {
        if (token() != '"') {
            throw unexpected("looking for beginning of object key string");
        }
        string();
        if (token() != ':') {
            throw unexpected("after object key");
        }
        at++;
    }

    /** Returns the first byte of the next token; -1 at the end of the document. */
    private int token() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
        return at < text.length ? text[at] & 0xff : -1;
    }

    private void scalar(int first) {
        switch (first) {
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                if (first == '-' || (first >= '0' && first <= '9')) {
                    number();
                } else {
                    throw unexpected("looking for beginning of value");
                }
            }
        }
    }

    private void string() {
        at++;
        while (true) {
            if (at >= text.length) {
                throw end();
            }
            int c = text[at] & 0xff;
            if (c == '"') {
                at++;
                return;
            }
            if (c < ' ') {
                throw invalid("in string literal");
            }
            at++;
            if (c == '\\') {
                escape();
            }
        }
    }

    private void escape() {
        int c = here();
        if (c == 'u') {
            at++;
            for (int i = 0; i < 4; i++) {
                if (Character.digit(here(), 16) < 0) {
                    throw invalid("in \\u hexadecimal character escape");
                }
                at++;
            }
        } else if ("\"\\/bfnrt".indexOf(c) < 0) {
            throw invalid("in string escape code");
        } else {
            at++;
        }
    }

    /**
     * Returns the current byte. At the end of the document, returns a space: Go's scanner adds one, which can cause an
     * error.
     */
    private int here() {
        return at < text.length ? text[at] & 0xff : ' ';
    }

    private void literal(String word) {
        at++;
        for (int i = 1; i < word.length(); i++) {
            if (here() != word.charAt(i)) {
                throw invalid("in literal " + word + " (expecting " + GoText.quotedByte(word.charAt(i)) + ")");
            }
            at++;
        }
    }

    private void number() {
        if (here() == '-') {
            at++;
            if (!isDigit()) {
                throw invalid("in numeric literal");
            }
        }
        if (here() == '0') {
            at++;
        } else {
            digits();
        }
        if (here() == '.') {
            at++;
            if (!isDigit()) {
                throw invalid("after decimal point in numeric literal");
            }
            digits();
        }
        if (here() == 'e' || here() == 'E') {
            at++;
            if (here() == '+' || here() == '-') {
                at++;
            }
            if (!isDigit()) {
                throw invalid("in exponent of numeric literal");
            }
            digits();
        }
    }

    private boolean isDigit() {
        return here() >= '0' && here() <= '9';
    }

    private void digits() {
        while (isDigit()) {
            at++;
        }
    }

    private SyntaxException unexpected(String where) {
        return at < text.length ? invalid(where) : end();
    }

    private SyntaxException invalid(String where) {
        return new SyntaxException("invalid character " + GoText.quotedByte(here()) + " " + where);
    }

    private static SyntaxException end() {
        return new SyntaxException("unexpected end of JSON input");
    }
}

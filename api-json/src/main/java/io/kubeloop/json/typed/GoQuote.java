package io.kubeloop.json.typed;

/** Quotes text in error messages (upstream: Go's {@code strconv.Quote}). Thread-safe: stateless. */
final class GoQuote {

    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\"\\";
    private static final String LETTERS = "abfnrtv\"\\";

    private GoQuote() {}

    static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> append(out, point));
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, int point) {
        int known = ESCAPED.indexOf(point);
        if (known >= 0) {
            out.append('\\').append(LETTERS.charAt(known));
        } else if (isPrintable(point)) {
            out.appendCodePoint(point);
        } else if (point < ' ' || point == 0x7f) {
            out.append(String.format("\\x%02x", point));
        } else {
            out.append(String.format(point > 0xffff ? "\\U%08x" : "\\u%04x", point));
        }
    }

    /**
     * Returns whether Go prints the character as it is: letters, marks, numbers, punctuation, symbols and the ASCII
     * space.
     */
    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> point == ' ';
            default -> true;
        };
    }

    /** Returns a byte of invalid JSON in single quotes. */
    static String quoteByte(int value) {
        if (value == '\'') {
            return "'\\''";
        }
        if (value == '"') {
            return "'\"'";
        }
        String quoted = quote(Character.toString(value));
        return "'" + quoted.substring(1, quoted.length() - 1) + "'";
    }
}

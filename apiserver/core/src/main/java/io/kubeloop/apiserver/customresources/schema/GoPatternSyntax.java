package io.kubeloop.apiserver.customresources.schema;

import java.util.Map;
import java.util.regex.PatternSyntaxException;

/** Translates a regular expression from the syntax of Go into that of Java. Used once. */
final class GoPatternSyntax {

    private static final Map<String, String> NAMED_CLASSES = Map.ofEntries(
            Map.entry("alnum", "\\p{Alnum}"),
            Map.entry("alpha", "\\p{Alpha}"),
            Map.entry("ascii", "\\p{ASCII}"),
            Map.entry("blank", "\\p{Blank}"),
            Map.entry("cntrl", "\\p{Cntrl}"),
            Map.entry("digit", "\\p{Digit}"),
            Map.entry("graph", "\\p{Graph}"),
            Map.entry("lower", "\\p{Lower}"),
            Map.entry("print", "\\p{Print}"),
            Map.entry("punct", "\\p{Punct}"),
            Map.entry("space", "\\p{Space}"),
            Map.entry("upper", "\\p{Upper}"),
            Map.entry("word", "\\w"),
            Map.entry("xdigit", "\\p{XDigit}"));

    private final String text;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int open;

    GoPatternSyntax(String text) {
        this.text = text;
    }

    String toJava() {
        boolean repeatable = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            switch (c) {
                case '\\' -> {
                    escape(false);
                    repeatable = true;
                }
                case '[' -> {
                    characterClass();
                    repeatable = true;
                }
                case '(' -> {
                    group();
                    repeatable = false;
                }
                case ')' -> {
                    close();
                    repeatable = true;
                }
                case '*', '+', '?' -> {
                    repeat(repeatable);
                    repeatable = false;
                }
                case '$' -> {
                    out.append("\\z"); // Go's $ does not match before a final line break
                    at++;
                    repeatable = true;
                }
                case '{' -> {
                    braces();
                    repeatable = false;
                }
                case '|' -> {
                    out.append(c);
                    at++;
                    repeatable = false;
                }
                case '}' -> {
                    out.append("\\}");
                    at++;
                    repeatable = true;
                }
                default -> {
                    out.append(c);
                    at++;
                    repeatable = true;
                }
            }
        }
        if (open > 0) {
            throw error("missing closing )", text);
        }
        return out.toString();
    }

    private PatternSyntaxException error(String problem, String part) {
        return new PatternSyntaxException(problem + ": `" + part + "`", text, at);
    }

    private void close() {
        if (open == 0) {
            throw error("unexpected )", text);
        }
        open--;
        out.append(')');
        at++;
    }

    private void repeat(boolean repeatable) {
        int start = at;
        if (!repeatable) {
            boolean doubled = start > 0 && "*+?}".indexOf(text.charAt(start - 1)) >= 0;
            if (doubled) {
                throw error("invalid nested repetition operator", text.substring(start - 1, start + 1));
            }
            throw error("missing argument to repetition operator", text.substring(start, start + 1));
        }
        out.append(text.charAt(at++));
        lazy();
    }

    private void lazy() {
        if (at < text.length() && text.charAt(at) == '?') {
            out.append('?');
            at++;
        }
    }

    /** Copies a repetition such as {@code {2,5}}; other braces are literal in Go. */
    private void braces() {
        int end = text.indexOf('}', at);
        String inner = end < 0 ? "" : text.substring(at + 1, end);
        if (!inner.matches("\\d+(,\\d*)?")) {
            out.append("\\{");
            at++;
            return;
        }
        for (String bound : inner.split(",", -1)) {
            if (bound.length() > 4 || (!bound.isEmpty() && Integer.parseInt(bound) > 1000)) {
                throw error("invalid repeat count", text.substring(at, end + 1));
            }
        }
        out.append(text, at, end + 1);
        at = end + 1;
        lazy();
    }

    private void group() {
        open++;
        if (!text.startsWith("(?", at)) {
            out.append('(');
            at++;
            return;
        }
        boolean look = text.startsWith("(?<=", at) || text.startsWith("(?<!", at);
        if (text.startsWith("(?P<", at) || (text.startsWith("(?<", at) && !look)) {
            // Go allows underscores in names, Java does not; nothing here reads a group by its name.
            int end = text.indexOf('>', at);
            if (end < 0) {
                throw error("invalid named capture", text.substring(at));
            }
            out.append('(');
            at = end + 1;
            return;
        }
        int end = at + 2;
        while (end < text.length() && "imsU-".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        char last = end < text.length() ? text.charAt(end) : 0;
        if (last != ':' && last != ')') {
            int shown = Math.min(text.length(), text.startsWith("(?<", at) ? at + 4 : at + 3);
            throw error("invalid or unsupported Perl syntax", text.substring(at, shown));
        }
        out.append(text.substring(at, end + 1).replace("U", ""));
        if (last == ')') {
            open--;
        }
        at = end + 1;
    }

    private void escape(boolean inClass) {
        if (at + 1 >= text.length()) {
            throw new PatternSyntaxException("trailing backslash at end of expression: ``", text, at);
        }
        char c = text.charAt(at + 1);
        switch (c) {
            case 'z', 'A', 'b', 'B' -> copy(2);
            case 's' -> replace(inClass ? "\\t\\n\\f\\r " : "[\\t\\n\\f\\r ]");
            case 'S' -> replace("[^\\t\\n\\f\\r ]");
            case 'd', 'D', 'w', 'W', 'a', 'f', 't', 'n', 'r' -> copy(2);
            case 'v' -> replace("\\x0B");
            case 'p', 'P' -> unicode();
            case 'Q' -> quotation();
            case 'x' -> copy(2);
            default -> {
                if (Character.isLetterOrDigit(c) && c != '0') {
                    throw error("invalid escape sequence", text.substring(at, at + 2));
                }
                copy(2);
            }
        }
    }

    private void unicode() {
        int end = at + 3;
        if (text.startsWith("{", at + 2)) {
            end = text.indexOf('}', at) + 1;
        }
        if (end <= at + 1 || end > text.length()) {
            throw error("invalid character class range", text.substring(at));
        }
        String name = text.substring(at + 2, end).replace("{", "").replace("}", "");
        boolean script = name.length() > 2;
        out.append('\\')
                .append(text.charAt(at + 1))
                .append('{')
                .append(script ? "Is" : "")
                .append(name)
                .append('}');
        at = end;
    }

    private void quotation() {
        int end = text.indexOf("\\E", at);
        out.append(text, at, end < 0 ? text.length() : end + 2);
        at = end < 0 ? text.length() : end + 2;
    }

    private void copy(int length) {
        out.append(text, at, at + length);
        at += length;
    }

    private void replace(String java) {
        out.append(java);
        at += 2;
    }

    private void characterClass() {
        int start = at;
        out.append('[');
        at++;
        if (text.startsWith("^", at)) {
            copy(1);
        }
        boolean first = true;
        while (true) {
            if (at >= text.length()) {
                throw error("missing closing ]", text.substring(start));
            }
            char c = text.charAt(at);
            if (c == ']' && !first) {
                break;
            }
            first = false;
            if (text.startsWith("[:", at) && text.indexOf(":]", at) > 0) {
                namedClass();
            } else if (c == '\\') {
                escape(true);
            } else if (c == '[' || c == '&' || c == ']' || c == '^') {
                out.append('\\').append(c); // literal in Go, an operator in Java
                at++;
            } else {
                copy(1);
            }
        }
        out.append(']');
        at++;
    }

    private void namedClass() {
        int end = text.indexOf(":]", at);
        String name = text.substring(at + 2, end);
        boolean negated = name.startsWith("^");
        String java = NAMED_CLASSES.get(negated ? name.substring(1) : name);
        if (java == null) {
            throw error("invalid character class range", text.substring(at, end + 2));
        }
        out.append(negated ? "[^" + java + "]" : java);
        at = end + 2;
    }
}

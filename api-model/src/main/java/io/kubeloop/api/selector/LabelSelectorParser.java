package io.kubeloop.api.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A recursive-descent parser of selector text.
 *
 * <pre>
 * selector    = [ requirement { "," requirement } ]
 * requirement = "!" word | word [ operator ]
 * operator    = ("=" | "==" | "!=" | "&lt;" | "&gt;") [ word ] | ("in" | "notin") "(" [ word ] { "," [ word ] } ")"
 * </pre>
 *
 * <p>White space separates words and is otherwise ignored. {@code in} and {@code notin} are operators only where the
 * grammar allows one; elsewhere they are words. A missing value is the empty text.
 */
final class LabelSelectorParser {

    private static final String SYMBOLS = "=!<>(),";

    private final String text;
    private final List<String> tokens;
    private int position;

    LabelSelectorParser(String text) {
        this.text = text;
        this.tokens = tokens(text);
    }

    /** Splits the text into words and symbols. The last token is empty and marks the end. */
    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = at + 1;
            if (isSpace(c)) {
                at = end;
                continue;
            }
            if (isSymbol(c)) {
                boolean pair = (c == '=' || c == '!') && end < text.length() && text.charAt(end) == '=';
                end += pair ? 1 : 0;
            } else {
                while (end < text.length() && !isSpace(text.charAt(end)) && !isSymbol(text.charAt(end))) {
                    end++;
                }
            }
            tokens.add(text.substring(at, end));
            at = end;
        }
        tokens.add("");
        return tokens;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isSymbol(char c) {
        return SYMBOLS.indexOf(c) >= 0;
    }

    List<Requirement> parse() {
        List<Requirement> requirements = new ArrayList<>();
        if (peek().isEmpty()) {
            return requirements;
        }
        requirements.add(requirement());
        while (!peek().isEmpty()) {
            expect(",");
            requirements.add(requirement());
        }
        return requirements;
    }

    private Requirement requirement() {
        if (peek().equals("!")) {
            next();
            return Requirement.of(word("a label key"), Operator.DOES_NOT_EXIST, List.of());
        }
        String key = word("a label key or \"!\"");
        if (isEndOfRequirement()) {
            return Requirement.of(key, Operator.EXISTS, List.of());
        }
        return switch (peek()) {
            case "=" -> comparison(key, Operator.EQUALS);
            case "==" -> comparison(key, Operator.DOUBLE_EQUALS);
            case "!=" -> comparison(key, Operator.NOT_EQUALS);
            case ">" -> comparison(key, Operator.GREATER_THAN);
            case "<" -> comparison(key, Operator.LESS_THAN);
            case "in" -> membership(key, Operator.IN);
            case "notin" -> membership(key, Operator.NOT_IN);
            default -> throw unexpected("an operator");
        };
    }

    private Requirement comparison(String key, Operator operator) {
        next();
        return Requirement.of(key, operator, List.of(isEndOfRequirement() ? "" : word("a value")));
    }

    private Requirement membership(String key, Operator operator) {
        next();
        expect("(");
        TreeSet<String> values = new TreeSet<>();
        values.add(valueOrEmpty());
        while (!peek().equals(")")) {
            expect(",");
            if (peek().equals(",")) {
                // Upstream reads commas in pairs, and rejects a list that ends right after a pair.
                next();
                values.add("");
                if (peek().equals(")")) {
                    throw unexpected("a value or \",\"");
                }
            }
            if (!peek().equals(",")) {
                values.add(valueOrEmpty());
            }
        }
        next();
        return Requirement.of(key, operator, List.copyOf(values));
    }

    private String valueOrEmpty() {
        return peek().equals(",") || peek().equals(")") ? "" : word("a value, \",\" or \")\"");
    }

    private boolean isEndOfRequirement() {
        return peek().isEmpty() || peek().equals(",");
    }

    private String word(String what) {
        if (peek().isEmpty() || isSymbol(peek().charAt(0))) {
            throw unexpected(what);
        }
        return next();
    }

    private void expect(String symbol) {
        if (!peek().equals(symbol)) {
            throw unexpected("\"" + symbol + "\"");
        }
        next();
    }

    private String peek() {
        return tokens.get(position);
    }

    private String next() {
        return tokens.get(position++);
    }

    private InvalidSelectorException unexpected(String wanted) {
        String found = peek().isEmpty() ? "its end" : "\"" + peek() + "\"";
        return new InvalidSelectorException(
                "label selector \"" + text + "\" makes no sense: want " + wanted + ", found " + found);
    }
}

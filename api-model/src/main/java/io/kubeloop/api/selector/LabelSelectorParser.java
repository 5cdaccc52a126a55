/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    private final List<String> tokens;
    private int position;

    LabelSelectorParser(String text) {
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
        while (!peek().isEmpty()) {
            if (!isStart(peek())) {
                throw unexpected(", expected: !, identifier, or 'end of string'");
            }
            requirements.add(describedRequirement());
            if (!isEndOfRequirement()) {
                throw unexpected(", expected: ',' or 'end of string'");
            }
            if (peek().equals(",")) {
                next();
                if (!isStart(peek())) {
                    throw unexpected(", expected: identifier after ','");
                }
            }
        }
        return requirements;
    }

    private static boolean isStart(String token) {
        return isWord(token) || token.equals("!");
    }

    private static boolean isWord(String token) {
        return !token.isEmpty() && !isSymbol(token.charAt(0));
    }

    private Requirement describedRequirement() {
        try {
            return requirement();
        } catch (InvalidSelectorException e) {
            throw new InvalidSelectorException("unable to parse requirement: " + e.getMessage());
        }
    }

    private Requirement requirement() {
        if (peek().equals("!")) {
            next();
            return Requirement.of(word(), Operator.DOES_NOT_EXIST, List.of());
        }
        String key = word();
        Requirement.checkKey(key);
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
            default -> throw unexpected(", expected: in, notin, =, ==, !=, gt, lt");
        };
    }

    private Requirement comparison(String key, Operator operator) {
        next();
        return Requirement.of(key, operator, List.of(isEndOfRequirement() ? "" : word()));
    }

    private Requirement membership(String key, Operator operator) {
        next();
        if (!peek().equals("(")) {
            throw unexpected(" expected: '('");
        }
        next();
        TreeSet<String> values = new TreeSet<>();
        if (peek().equals(")")) {
            values.add("");
        } else if (isWord(peek()) || peek().equals(",")) {
            values(values);
        } else {
            throw unexpected(", expected: ',', ')' or identifier");
        }
        next();
        return Requirement.of(key, operator, List.copyOf(values));
    }

    /**
     * Reads values up to the closing parenthesis. As upstream up to 1.33, commas are read in pairs, so some lists
     * are rejected.
     */
    private void values(Set<String> values) {
        while (true) {
            if (isWord(peek())) {
                values.add(next());
                if (peek().equals(")")) {
                    return;
                }
                if (!peek().equals(",")) {
                    throw unexpected(", expected: ',' or ')'");
                }
            } else if (peek().equals(",")) {
                next();
                if (values.isEmpty() || peek().equals(")")) {
                    values.add("");
                }
                if (peek().equals(")")) {
                    return;
                }
                if (peek().equals(",")) {
                    next();
                    values.add("");
                }
            } else {
                throw unexpected(", expected: ',', or identifier");
            }
        }
    }

    private boolean isEndOfRequirement() {
        return peek().isEmpty() || peek().equals(",");
    }

    private String word() {
        if (!isWord(peek())) {
            throw unexpected(", expected: identifier");
        }
        return next();
    }

    private String peek() {
        return tokens.get(position);
    }

    private String next() {
        return tokens.get(position++);
    }

    /** The messages are upstream's, because an API server returns them. */
    private InvalidSelectorException unexpected(String rest) {
        return new InvalidSelectorException("found '" + peek() + "'" + rest);
    }
}

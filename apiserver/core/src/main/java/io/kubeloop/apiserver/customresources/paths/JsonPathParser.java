/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.paths;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.apiserver.customresources.paths.JsonPath.Step;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Parses one path. Used once. */
final class JsonPathParser {

    private static final Pattern KEY = Pattern.compile("'([^']*)'");
    private static final Pattern SLICE = Pattern.compile("(-?\\d*)(:-?\\d*)?(:-?\\d*)?");
    private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]+)(.+)", Pattern.DOTALL);
    private static final String TERMINATORS = " \t\r\n.,[]$@{}";

    private final String text;
    private final List<Step> steps = new ArrayList<>();
    private int at;
    private boolean recursive;

    JsonPathParser(String text) {
        this.text = text;
    }

    List<Step> parse() throws InvalidJsonPathException {
        while (at < text.length()) {
            boolean wasRecursive = recursive;
            recursive = false;
            if (text.startsWith("[?(", at)) {
                filter();
            } else if (text.startsWith("..", at)) {
                if (wasRecursive) {
                    throw new InvalidJsonPathException("invalid multiple recursive descent");
                }
                at += 2;
                steps.add(Steps::recursive);
                recursive = true;
                if (at < text.length() && isWord(text.charAt(at))) {
                    field();
                }
            } else {
                single(text.charAt(at));
            }
        }
        return List.copyOf(steps);
    }

    private void single(char c) throws InvalidJsonPathException {
        switch (c) {
            case ' ', '@', '$' -> at++;
            case '[' -> bracket();
            case '"', '\'' -> constant(new JsonString(quoted(c)));
            case '.' -> {
                at++;
                field();
            }
            default -> {
                if (c == '+' || c == '-' || Character.isDigit(c)) {
                    number();
                } else if (isWord(c)) {
                    word();
                } else {
                    throw new InvalidJsonPathException(
                            String.format("unrecognized character in action: U+%04X '%c'", (int) c, c));
                }
            }
        }
    }

    private static boolean isWord(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    private void constant(JsonValue value) {
        steps.add(selected -> Collections.nCopies(selected.size(), value));
    }

    private void field() {
        StringBuilder name = new StringBuilder();
        while (at < text.length() && TERMINATORS.indexOf(text.charAt(at)) < 0) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            name.append(text.charAt(at++));
        }
        String member = name.toString();
        steps.add(member.equals("*") ? Steps::children : selected -> Steps.member(selected, member));
    }

    private void number() throws InvalidJsonPathException {
        int start = at++;
        while (at < text.length() && (text.charAt(at) == '.' || Character.isDigit(text.charAt(at)))) {
            at++;
        }
        String number = text.substring(text.startsWith("+", start) ? start + 1 : start, at);
        try {
            constant(new JsonNumber(number));
        } catch (IllegalArgumentException e) {
            throw new InvalidJsonPathException("cannot parse number " + number);
        }
    }

    private void word() throws InvalidJsonPathException {
        int start = at;
        while (at < text.length() && TERMINATORS.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        if (!word.equals("true") && !word.equals("false")) {
            throw new InvalidJsonPathException("unrecognized identifier " + word);
        }
        constant(JsonBoolean.of(word.equals("true")));
    }

    private String quoted(char quote) throws InvalidJsonPathException {
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != quote) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            value.append(text.charAt(at++));
        }
        if (at >= text.length()) {
            throw new InvalidJsonPathException("unterminated quoted string");
        }
        at++;
        return value.toString();
    }

    private void bracket() throws InvalidJsonPathException {
        int end = text.indexOf(']', at);
        if (end < 0) {
            throw new InvalidJsonPathException("unterminated array");
        }
        String inner = text.substring(at + 1, end);
        at = end + 1;
        String[] parts = inner.split(",", -1);
        if (parts.length == 1) {
            steps.addAll(index(inner));
            return;
        }
        List<List<Step>> union = new ArrayList<>();
        for (String part : parts) {
            union.add(index(part.strip()));
        }
        steps.add(selected -> {
            List<JsonValue> all = new ArrayList<>();
            for (List<Step> one : union) {
                List<JsonValue> found = selected;
                for (Step step : one) {
                    found = step.apply(found);
                }
                all.addAll(found);
            }
            return all;
        });
    }

    /**
     * Returns the steps of what is between brackets. As upstream, a key is a path of its own, and nothing is the first
     * element.
     */
    private static List<Step> index(String inner) throws InvalidJsonPathException {
        Matcher key = KEY.matcher(inner);
        if (key.matches()) {
            return new JsonPathParser("." + key.group(1)).parse();
        }
        Matcher slice = SLICE.matcher(inner.equals("*") ? ":" : inner);
        if (!slice.matches()) {
            throw new InvalidJsonPathException("invalid array index " + inner);
        }
        return List.of(Slice.of(slice.group(1), slice.group(2), slice.group(3)));
    }

    private void filter() throws InvalidJsonPathException {
        int start = at + "[?(".length();
        int end = start;
        char quote = 0;
        while (end < text.length() && (quote != 0 || text.charAt(end) != ')')) {
            char c = text.charAt(end);
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote && text.charAt(end - 1) != '\\') {
                quote = 0;
            }
            end++;
        }
        if (end >= text.length()) {
            throw new InvalidJsonPathException("unterminated filter");
        }
        if (!text.startsWith(")]", end)) {
            throw new InvalidJsonPathException("unclosed array expect ]");
        }
        steps.add(filter(text.substring(start, end)));
        at = end + 2;
    }

    private static Step filter(String condition) throws InvalidJsonPathException {
        Matcher comparison = COMPARISON.matcher(condition);
        if (!comparison.matches()) {
            List<Step> exists = new JsonPathParser(condition).parse();
            return selected -> Steps.filter(selected, exists, null, "exists");
        }
        List<Step> left = new JsonPathParser(comparison.group(1)).parse();
        List<Step> right = new JsonPathParser(comparison.group(3)).parse();
        String operator = comparison.group(2);
        return selected -> Steps.filter(selected, left, right, operator);
    }
}

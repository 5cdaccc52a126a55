/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the field of a schema to which a path such as {@code .spec.color} refers (upstream: {@code
 * cel.ValidFieldPath}).
 */
public final class SchemaFieldPath {

    /**
     * A field, or the reason why there is none.
     *
     * @param path the normalized path
     * @param schema the schema of the field; null if the path is invalid
     * @param error the reason; null if the path is valid
     */
    public record Found(
            String path,
            @Nullable SchemaProps schema,
            @Nullable String error) {}

    private final List<String> tokens;
    private final boolean brackets;
    private SchemaProps schema;
    private String path = "";
    private int next;

    private SchemaFieldPath(String text, SchemaProps schema, boolean brackets) {
        this.tokens = tokens(text);
        this.schema = schema;
        this.brackets = brackets;
    }

    private static final class InvalidPathException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidPathException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Finds a field.
     *
     * @param brackets whether the path may contain keys in brackets
     */
    public static Found find(String text, SchemaProps schema, boolean brackets) {
        SchemaFieldPath search = new SchemaFieldPath(text, schema, brackets);
        try {
            search.walk();
            return new Found(search.path, search.schema, null);
        } catch (InvalidPathException e) {
            return new Found("", null, e.getMessage());
        }
    }

    /** Splits a path into names, quoted names and the delimiters between them. */
    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = start;
            if (text.charAt(start) == '\'') {
                end++;
                while (end < text.length() && (text.charAt(end) != '\'' || text.charAt(end - 1) == '\\')) {
                    end++;
                }
                end = Math.min(end + 1, text.length());
            } else if (".[]".indexOf(text.charAt(start)) >= 0) {
                end++;
            } else {
                while (end < text.length() && ".[]".indexOf(text.charAt(end)) < 0) {
                    end++;
                }
            }
            tokens.add(text.substring(start, end));
            start = end;
        }
        return tokens;
    }

    private void walk() throws InvalidPathException {
        while (next < tokens.size()) {
            String token = tokens.get(next++);
            switch (token) {
                case "[" -> bracket();
                case "." -> step(next < tokens.size() ? tokens.get(next++) : "");
                default -> throw new InvalidPathException("expected [ or . but got: " + token);
            }
        }
    }

    private void bracket() throws InvalidPathException {
        if (!brackets) {
            throw new InvalidPathException("array notation is not allowed");
        }
        String quoted = token();
        if (quoted.length() < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
            throw new InvalidPathException("expected single quoted string but got " + quoted);
        }
        step(quoted.substring(1, quoted.length() - 1).replace("\\'", "'").replace("\\\\", "\\"));
        String end = token();
        if (!end.equals("]")) {
            throw new InvalidPathException("expected ] but got " + end);
        }
    }

    private String token() throws InvalidPathException {
        if (next >= tokens.size()) {
            throw new InvalidPathException("unexpected end of JSON path");
        }
        return tokens.get(next++);
    }

    private void step(String name) throws InvalidPathException {
        SchemaProps.Additional additional = schema.additionalProperties();
        SchemaProps found;
        if (!schema.properties().isEmpty()) {
            found = schema.properties().get(name);
            path = Paths.child(path, name);
        } else {
            found = additional == null ? null : additional.schema();
            path = Paths.key(path, name);
        }
        if (found == null) {
            throw new InvalidPathException("does not refer to a valid field");
        }
        schema = found;
    }
}

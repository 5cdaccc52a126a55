/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A predicate over fields of an object, such as {@code spec.nodeName=n1,metadata.name!=web} (upstream: {@code
 * fields.Selector}).
 *
 * <p>In values, {@code \}, {@code ,} and {@code =} are escaped by a backslash.
 *
 * @param requirements the requirements that an object must fulfill; an empty list selects every object
 */
public record FieldSelector(List<Requirement> requirements) {

    /** Selects every object; its text is empty. */
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    /** The parser tries the operators in this order at each character. */
    private static final List<String> OPERATORS = List.of("!=", "==", "=");

    /** Copies the requirements. */
    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * One requirement.
     *
     * @param field the path of the field
     * @param negated whether the field must not have the value
     * @param value the value; the empty value also matches an absent field
     */
    public record Requirement(String field, boolean negated, String value) {

        /** Returns whether the value of the field fulfills this requirement. */
        boolean matches(@Nullable String actual) {
            return (actual == null ? "" : actual).equals(value) != negated;
        }

        /** Returns the canonical text. */
        @Override
        public String toString() {
            return field + (negated ? "!=" : "=") + escape(value);
        }
    }

    /**
     * Parses a selector. Empty text selects every object. Terms are sorted by their text.
     *
     * @throws InvalidSelectorException if the text is not a valid selector
     */
    public static FieldSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        for (String term : terms(text).stream().sorted().toList()) {
            Requirement requirement = term(text, term);
            // Like upstream, drop a term that has neither field nor value.
            if (!requirement.field().isEmpty() || !requirement.value().isEmpty()) {
                requirements.add(requirement);
            }
        }
        return new FieldSelector(requirements);
    }

    /** Returns a selector for the objects with one name. */
    public static FieldSelector ofName(String name) {
        return new FieldSelector(List.of(new Requirement("metadata.name", false, name)));
    }

    private static List<String> terms(String text) {
        List<String> terms = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == ',') {
                if (i > from) {
                    terms.add(text.substring(from, i));
                }
                from = i + 1;
            } else if (text.charAt(i) == '\\' && i + 1 < text.length()) {
                i++;
            }
        }
        return terms;
    }

    private static Requirement term(String text, String term) {
        for (int i = 0; i < term.length(); i++) {
            for (String operator : OPERATORS) {
                if (term.startsWith(operator, i)) {
                    String value = unescape(term.substring(i + operator.length()));
                    return new Requirement(term.substring(0, i), operator.equals("!="), value);
                }
            }
        }
        throw new InvalidSelectorException("invalid selector: '" + text + "'; can't understand '" + term + "'");
    }

    private static String unescape(String value) {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                String sequence = value.substring(i, Math.min(i + 2, value.length()));
                if (sequence.length() < 2 || "\\,=".indexOf(sequence.charAt(1)) < 0) {
                    throw new InvalidSelectorException("invalid field selector: invalid escape sequence: " + sequence);
                }
                plain.append(sequence.charAt(1));
                i++;
            } else if (c == ',' || c == '=') {
                throw new InvalidSelectorException("invalid field selector: unescaped character in value: " + (int) c);
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
    }

    /**
     * Returns whether an object is selected.
     *
     * @param fields returns the value of a field; null or empty if it is absent
     */
    public boolean matches(Function<String, @Nullable String> fields) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(fields.apply(requirement.field()))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether every object is selected. */
    public boolean isEmpty() {
        return requirements.isEmpty();
    }

    /**
     * Returns the value that a field must have, or null if the selector does not require one value. An index can serve
     * a selector that requires one value.
     */
    public @Nullable String exactMatch(String field) {
        for (Requirement requirement : requirements) {
            if (!requirement.negated() && requirement.field().equals(field)) {
                return requirement.value();
            }
        }
        return null;
    }

    /** Returns the canonical text, which an API server accepts. */
    @Override
    public String toString() {
        return String.join(",", requirements.stream().map(Requirement::toString).toList());
    }
}

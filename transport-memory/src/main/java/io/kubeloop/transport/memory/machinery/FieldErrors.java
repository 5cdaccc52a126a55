package io.kubeloop.transport.memory.machinery;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with an object, field by field, in upstream's words (upstream: {@code util/validation/field}).
 *
 * <p>Confined to the thread that validates.
 */
public final class FieldErrors {

    private record FieldError(String reason, String field, String body) {

        String message() {
            return field + ": " + body;
        }
    }

    private final List<FieldError> errors = new ArrayList<>();

    /** Returns whether nothing is wrong. */
    public boolean isEmpty() {
        return errors.isEmpty();
    }

    /** Says that a field is missing. */
    public void required(String field, String detail) {
        add("FieldValueRequired", field, "Required value" + suffix(detail));
    }

    /** Says that a value is wrong. */
    public void invalid(String field, JsonValue value, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + shown(value) + suffix(detail));
    }

    /** Says that a text is wrong. */
    public void invalid(String field, String value, String detail) {
        invalid(field, new JsonString(value), detail);
    }

    /** One error for each complaint about the same value. */
    public void invalid(String field, String value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    /** An error about a value that is no JSON, shown as it is. */
    public void invalidLiteral(String field, String shown, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + shown + suffix(detail));
    }

    /** Complains about a value that should be a text: YAML takes a port for a number, and "on" for a truth value. */
    public void text(String field, @Nullable JsonValue value) {
        if (value != null && !(value instanceof JsonString)) {
            invalid(field, value, "must be a string");
        }
    }

    /** Complains about a count that is below zero, or none; an absent one is none of its business. */
    public void nonNegative(String field, @Nullable JsonValue value) {
        if (value == null) {
            return;
        }
        Long number = value instanceof JsonNumber some ? some.toLong() : null;
        if (number == null) {
            invalid(field, value, "must be a whole number");
        } else if (number < 0) {
            invalid(field, value, "must be greater than or equal to 0");
        }
    }

    /** Says that a field may not be set, or not changed so. */
    public void forbidden(String field, String detail) {
        add("FieldValueForbidden", field, "Forbidden" + suffix(detail));
    }

    /** Says that a value is there already. */
    public void duplicate(String field, JsonValue value) {
        duplicate(field, value, "");
    }

    /** Says that a value is there already, and more of it. */
    public void duplicate(String field, JsonValue value, String detail) {
        add("FieldValueDuplicate", field, "Duplicate value: " + shown(value) + suffix(detail));
    }

    /** Says that a text is not one of those that are known. */
    public void notSupported(String field, String value, List<String> supported) {
        notSupported(field, new JsonString(value), supported);
    }

    /** Says that a value is not one of those that are known. */
    public void notSupported(String field, JsonValue value, List<String> supported) {
        String values = supported.stream().map(FieldErrors::quote).collect(Collectors.joining(", "));
        add(
                "FieldValueNotSupported",
                field,
                "Unsupported value: " + shown(value) + (values.isEmpty() ? "" : ": supported values: " + values));
    }

    /** Complains about a word that is not one of these. */
    public void oneOf(String field, String value, List<String> supported) {
        if (!supported.contains(value)) {
            notSupported(field, value, supported);
        }
    }

    /** Says that what a field names is not there. */
    public void notFound(String field, String value) {
        add("FieldValueNotFound", field, "Not found: " + quote(value));
    }

    /** Says that a field has too many bytes. */
    public void tooLong(String field, int maxBytes) {
        add("FieldValueTooLong", field, "Too long: must have at most " + maxBytes + " bytes");
    }

    /** Says that a list has too many items. */
    public void tooMany(String field, int actual, int max) {
        add("FieldValueTooMany", field, "Too many: " + actual + ": must have at most " + max + " items");
    }

    /** Returns all errors in one text: a single one as it is, several in brackets, none twice. */
    public String message() {
        Set<String> messages = new LinkedHashSet<>();
        errors.forEach(error -> messages.add(error.message()));
        String joined = String.join(", ", messages);
        return messages.size() == 1 ? joined : "[" + joined + "]";
    }

    JsonArray causes() {
        List<JsonObject> causes = errors.stream()
                .map(error -> ApiFailure.cause(error.reason(), error.body(), error.field()))
                .toList();
        return JsonArray.of(causes);
    }

    private void add(String reason, String field, String body) {
        errors.add(new FieldError(reason, field, body));
    }

    private static String suffix(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }

    private static String shown(JsonValue value) {
        return value instanceof JsonString text ? quote(text.value()) : value.toString();
    }

    private static String quote(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}

package io.kubeloop.apiserver.machinery;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the validation errors of an object by field, with upstream's messages (upstream: {@code
 * util/validation/field}).
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
    private final List<String> warnings = new ArrayList<>();
    private final @Nullable JsonObject sent;

    /** Creates an empty collection. */
    public FieldErrors() {
        sent = null;
    }

    /**
     * Creates an empty collection for an object that a client has sent.
     *
     * @param sent the document of the client, with the empty lists and maps that the decoder drops
     */
    public FieldErrors(JsonObject sent) {
        this.sent = sent;
    }

    /** Returns the object as the client has sent it, which messages may show; null if it is not known. */
    public @Nullable JsonObject sent() {
        return sent;
    }

    /** Receives errors in the form of {@link #add}. */
    @FunctionalInterface
    public interface ErrorConsumer {

        /** Receives one error. */
        void accept(String reason, String field, String body);
    }

    /** Passes every error to the consumer, in order. */
    public void forEach(ErrorConsumer consumer) {
        errors.forEach(error -> consumer.accept(error.reason(), error.field(), error.body()));
    }

    /** Adds a warning: an error that does not reject the object. */
    public void warn(String text) {
        warnings.add(text);
    }

    /** Returns the warnings. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns whether one of the errors has one of these reasons. */
    public boolean hasReason(Set<String> reasons) {
        return errors.stream().anyMatch(error -> reasons.contains(error.reason()));
    }

    /** Returns whether there are no errors. */
    public boolean isEmpty() {
        return errors.isEmpty();
    }

    /** Returns the number of errors. */
    public int count() {
        return errors.size();
    }

    /** Adds the error of a missing field. */
    public void required(String field, String detail) {
        add("FieldValueRequired", field, "Required value" + suffix(detail));
    }

    /** Adds the error of an invalid value. */
    public void invalid(String field, JsonValue value, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + shown(value) + suffix(detail));
    }

    /** Adds the error of an invalid string. */
    public void invalid(String field, String value, String detail) {
        invalid(field, new JsonString(value), detail);
    }

    /** Adds one error for each of the details about the same value. */
    public void invalid(String field, String value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    /** Adds the error of an invalid value that the message does not show. */
    public void invalidWithoutValue(String field, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + detail);
    }

    /** Adds an error about a value that is not JSON and is shown literally. */
    public void invalidLiteral(String field, String shown, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + shown + suffix(detail));
    }

    /**
     * Adds an error if a value is not a string: YAML reads an unquoted port as a number and an unquoted {@code on}
     * as a boolean.
     */
    public void text(String field, @Nullable JsonValue value) {
        if (value != null && !(value instanceof JsonString)) {
            invalid(field, value, "must be a string");
        }
    }

    /** Adds an error if a count is negative or not a number. An absent count is accepted. */
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

    /** Adds the error of a field that must not be set, or not be changed in this way. */
    public void forbidden(String field, String detail) {
        add("FieldValueForbidden", field, "Forbidden" + suffix(detail));
    }

    /** Adds the error of a duplicate value. */
    public void duplicate(String field, JsonValue value) {
        duplicate(field, value, "");
    }

    /** Adds the error of a duplicate value, with a detail. */
    public void duplicate(String field, JsonValue value, String detail) {
        add("FieldValueDuplicate", field, "Duplicate value: " + shown(value) + suffix(detail));
    }

    /** Adds the error of a string that is not among the supported values. */
    public void notSupported(String field, String value, List<String> supported) {
        notSupported(field, new JsonString(value), supported);
    }

    /** Adds the error of a value that is not among the supported values. */
    public void notSupported(String field, JsonValue value, List<String> supported) {
        String values = supported.stream().map(FieldErrors::quote).collect(Collectors.joining(", "));
        add(
                "FieldValueNotSupported",
                field,
                "Unsupported value: " + shown(value) + (values.isEmpty() ? "" : ": supported values: " + values));
    }

    /** Adds an error unless the string is one of the supported values. */
    public void oneOf(String field, String value, List<String> supported) {
        if (!supported.contains(value)) {
            notSupported(field, value, supported);
        }
    }

    /** Adds the error of a field that names a missing object. */
    public void notFound(String field, String value) {
        add("FieldValueNotFound", field, "Not found: " + quote(value));
    }

    /** Adds the error of a field that exceeds its size in bytes. */
    public void tooLong(String field, int maxBytes) {
        add("FieldValueTooLong", field, "Too long: may not be more than " + maxBytes + " bytes");
    }

    /** Adds the error of a list that has too many items. */
    public void tooMany(String field, int actual, int max) {
        add("FieldValueTooMany", field, "Too many: " + actual + ": must have at most " + max + " items");
    }

    /** Returns all errors as one message without repetitions: a single error as it is, several in brackets. */
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

    /**
     * Adds an error.
     *
     * @param reason the reason of the cause, such as {@code FieldValueInvalid}
     * @param field the path of the field
     * @param body the message without the path
     */
    public void add(String reason, String field, String body) {
        errors.add(new FieldError(reason, field, body));
    }

    private static String suffix(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }

    private static String shown(JsonValue value) {
        return value instanceof JsonString text ? quote(text.value()) : value.toString();
    }

    private static String quote(String text) {
        return GoText.quoted(text);
    }
}

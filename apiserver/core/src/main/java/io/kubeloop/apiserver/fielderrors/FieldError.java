/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fielderrors;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One validation error of a field, with upstream's message (upstream: {@code field.Error}). Immutable.
 *
 * @param reason the reason of the cause, such as {@code FieldValueInvalid}
 * @param field the path of the field
 * @param body the message without the path
 */
public record FieldError(String reason, String field, String body) {

    /** The value does not satisfy a rule. */
    public static FieldError invalid(String field, JsonValue value, String detail) {
        return invalidLiteral(field, shown(value), detail);
    }

    /** The string does not satisfy a rule. */
    public static FieldError invalid(String field, String value, String detail) {
        return invalidLiteral(field, GoText.quoted(value), detail);
    }

    /** A value that is not JSON and is shown literally does not satisfy a rule. */
    public static FieldError invalidLiteral(String field, String shown, String detail) {
        return new FieldError("FieldValueInvalid", field, "Invalid value: " + shown + suffix(detail));
    }

    /** The value has another type than the schema requires. */
    public static FieldError typeInvalid(String field, String value, String detail) {
        return new FieldError(
                "FieldValueTypeInvalid", field, "Invalid value: " + GoText.quoted(value) + suffix(detail));
    }

    /** The field must be set. */
    public static FieldError required(String field, String detail) {
        return new FieldError("FieldValueRequired", field, "Required value" + suffix(detail));
    }

    /** The field must not be set, or not be changed in this way. */
    public static FieldError forbidden(String field, String detail) {
        return new FieldError("FieldValueForbidden", field, "Forbidden" + suffix(detail));
    }

    /** The server cannot check the field. */
    public static FieldError internal(String field, String detail) {
        return new FieldError("InternalError", field, "Internal error: " + detail);
    }

    /** The value occurs twice. */
    public static FieldError duplicate(String field, JsonValue value, String detail) {
        return new FieldError("FieldValueDuplicate", field, "Duplicate value: " + shown(value) + suffix(detail));
    }

    /** The value is not among the supported values. */
    public static FieldError notSupported(String field, JsonValue value, List<String> supported) {
        String values = supported.stream().map(GoText::quoted).collect(Collectors.joining(", "));
        return new FieldError(
                "FieldValueNotSupported",
                field,
                "Unsupported value: " + shown(value) + (supported.isEmpty() ? "" : ": supported values: " + values));
    }

    /** The field names a missing object. */
    public static FieldError notFound(String field, String value, String detail) {
        return new FieldError(
                "FieldValueNotFound",
                field,
                "Not found: " + GoText.quoted(value) + (detail.isEmpty() ? "" : ": " + detail));
    }

    /** The value exceeds its size in bytes. */
    public static FieldError tooLong(String field, long max) {
        return new FieldError(
                "FieldValueTooLong", field, "Too long: may not be more than " + max + (max == 1 ? " byte" : " bytes"));
    }

    /** The string has too many characters. */
    public static FieldError tooManyCharacters(String field, long max) {
        return new FieldError("FieldValueTooLong", field, "Too long: may not be more than " + max + " characters");
    }

    /** The list or the object has too many elements. */
    public static FieldError tooMany(String field, long actual, long max) {
        return new FieldError(
                "FieldValueTooMany",
                field,
                "Too many: " + actual + ": must have at most " + max + (max == 1 ? " item" : " items"));
    }

    /** Returns the message with the path. */
    public String message() {
        return field + ": " + body;
    }

    private static String suffix(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }

    private static String shown(JsonValue value) {
        return value instanceof JsonString || value instanceof JsonNumber ? GoText.syntax(value) : value.toString();
    }
}

package io.kubeloop.apiserver.customresources.schema;

import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One validation error of a field (upstream: {@code field.Error}). Immutable.
 *
 * @param reason the reason of the cause, such as {@code FieldValueInvalid}
 * @param field the path of the field
 * @param body the message without the path
 */
public record FieldProblem(String reason, String field, String body) {

    /** The value does not satisfy a rule. */
    public static FieldProblem invalid(String field, JsonValue value, String detail) {
        return invalidShown(field, GoJson.shown(value), detail);
    }

    /** The value does not satisfy a rule. */
    public static FieldProblem invalid(String field, String value, String detail) {
        return invalidShown(field, GoJson.quoted(value), detail);
    }

    /** A value that is shown literally does not satisfy a rule. */
    public static FieldProblem invalidShown(String field, String shown, String detail) {
        return new FieldProblem("FieldValueInvalid", field, "Invalid value: " + shown + suffix(detail));
    }

    /** The value has another type than the schema requires. */
    public static FieldProblem typeInvalid(String field, String value, String detail) {
        return new FieldProblem(
                "FieldValueTypeInvalid", field, "Invalid value: " + GoJson.quoted(value) + suffix(detail));
    }

    /** The field must be set. */
    public static FieldProblem required(String field, String detail) {
        return new FieldProblem("FieldValueRequired", field, "Required value" + suffix(detail));
    }

    /** The field must not be set. */
    public static FieldProblem forbidden(String field, String detail) {
        return new FieldProblem("FieldValueForbidden", field, "Forbidden" + suffix(detail));
    }

    /** The server cannot check the field. */
    public static FieldProblem internal(String field, String detail) {
        return new FieldProblem("InternalError", field, "Internal error: " + detail);
    }

    /** The value occurs twice. */
    public static FieldProblem duplicate(String field, JsonValue value) {
        return new FieldProblem("FieldValueDuplicate", field, "Duplicate value: " + GoJson.shown(value));
    }

    /** The value is none of those that are supported. */
    public static FieldProblem notSupported(String field, JsonValue value, Collection<String> supported) {
        String values = supported.stream().map(GoJson::quoted).collect(Collectors.joining(", "));
        return new FieldProblem(
                "FieldValueNotSupported",
                field,
                "Unsupported value: " + GoJson.shown(value)
                        + (supported.isEmpty() ? "" : ": supported values: " + values));
    }

    /** The value is none of those that are supported. */
    public static FieldProblem notSupported(String field, String value, List<String> supported) {
        return notSupported(field, new JsonString(value), supported);
    }

    /** The text is too long. */
    public static FieldProblem tooLong(String field, long max) {
        return new FieldProblem(
                "FieldValueTooLong", field, "Too long: may not be more than " + max + (max == 1 ? " byte" : " bytes"));
    }

    /** The list or the object has too many elements. */
    public static FieldProblem tooMany(String field, long actual, long max) {
        return new FieldProblem(
                "FieldValueTooMany",
                field,
                "Too many: " + actual + ": must have at most " + max + (max == 1 ? " item" : " items"));
    }

    private static String suffix(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }

    /** Returns the message with the path. */
    public String message() {
        return field + ": " + body;
    }

    /** Adds problems to the errors of a request. */
    public static void addAll(Collection<FieldProblem> problems, FieldErrors errors) {
        problems.forEach(problem -> errors.add(problem.reason(), problem.field(), problem.body()));
    }
}

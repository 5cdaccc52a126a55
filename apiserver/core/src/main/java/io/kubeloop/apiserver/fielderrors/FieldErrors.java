/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fielderrors;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the validation errors of an object by field, with upstream's messages (upstream: {@code
 * util/validation/field}).
 *
 * <p>Confined to the thread that validates.
 */
public final class FieldErrors {

    private static final long MOST_CHARACTERS = 1 << 20;

    private final List<FieldError> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final @Nullable JsonObject sent;

    /** The errors of declared rules; null for none. */
    private @Nullable FieldErrors declared;

    /** The length of all errors. */
    private long characters;

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

    /** Returns the errors, in order. */
    public List<FieldError> list() {
        return declared == null
                ? Collections.unmodifiableList(errors)
                : Stream.concat(errors.stream(), declared.list().stream()).toList();
    }

    /**
     * Returns the collection of the errors that follow all others: those of the rules that upstream declares beside its
     * types (upstream: {@code ValidateDeclaratively}).
     */
    public FieldErrors declared() {
        FieldErrors some = declared;
        if (some == null) {
            some = sent == null ? new FieldErrors() : new FieldErrors(sent);
            declared = some;
        }
        return some;
    }

    /** Returns the errors without repetitions. */
    public FieldErrors distinct() {
        FieldErrors distinct = new FieldErrors();
        list().stream().distinct().forEach(distinct::add);
        return distinct;
    }

    /** Adds an error. */
    public void add(FieldError error) {
        if (!isFull()) {
            characters += error.body().length();
            errors.add(error);
        }
    }

    /**
     * Each error shows the value, so the errors of the parts of a value would grow with its square. Further ones
     * are left out.
     */
    private boolean isFull() {
        return characters > MOST_CHARACTERS;
    }

    private void addUnlessFull(Supplier<FieldError> error) {
        if (!isFull()) {
            add(error.get());
        }
    }

    /** Adds the errors and warnings of another collection. */
    public void addAll(FieldErrors others) {
        others.errors.forEach(this::add);
        warnings.addAll(others.warnings);
        if (others.declared != null) {
            declared().addAll(others.declared);
        }
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
        return list().stream().anyMatch(error -> reasons.contains(error.reason()));
    }

    /** Returns whether there are no errors. */
    public boolean isEmpty() {
        return errors.isEmpty() && (declared == null || declared.isEmpty());
    }

    /** Returns the number of errors. */
    public int count() {
        return list().size();
    }

    /** Adds the error of a missing field. */
    public void required(String field, String detail) {
        addUnlessFull(() -> FieldError.required(field, detail));
    }

    /** Adds the error of an invalid value. */
    public void invalid(String field, JsonValue value, String detail) {
        addUnlessFull(() -> FieldError.invalid(field, value, detail));
    }

    /** Adds the error of an invalid string. */
    public void invalid(String field, String value, String detail) {
        addUnlessFull(() -> FieldError.invalid(field, value, detail));
    }

    /** Adds one error for each of the details about the same value. */
    public void invalid(String field, String value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    /** Adds the error of an invalid value that the message does not show. */
    public void invalidWithoutValue(String field, String detail) {
        invalidLiteral(field, detail, "");
    }

    /** Adds an error about a value that is not JSON and is shown literally. */
    public void invalidLiteral(String field, String shown, String detail) {
        addUnlessFull(() -> FieldError.invalidLiteral(field, shown, detail));
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
        addUnlessFull(() -> FieldError.forbidden(field, detail));
    }

    /** Adds the error of a duplicate value. */
    public void duplicate(String field, JsonValue value) {
        duplicate(field, value, "");
    }

    /** Adds the error of a duplicate value, with a detail. */
    public void duplicate(String field, JsonValue value, String detail) {
        addUnlessFull(() -> FieldError.duplicate(field, value, detail));
    }

    /** Adds the error of a string that is not among the supported values. */
    public void notSupported(String field, String value, List<String> supported) {
        notSupported(field, new JsonString(value), supported);
    }

    /** Adds the error of a value that is not among the supported values. */
    public void notSupported(String field, JsonValue value, List<String> supported) {
        addUnlessFull(() -> FieldError.notSupported(field, value, supported));
    }

    /** Adds an error unless the string is one of the supported values. */
    public void oneOf(String field, String value, List<String> supported) {
        if (!supported.contains(value)) {
            notSupported(field, value, supported);
        }
    }

    /** Adds the error of a field that names a missing object. */
    public void notFound(String field, String value) {
        addUnlessFull(() -> FieldError.notFound(field, value, ""));
    }

    /** Adds the error of a field that names a missing object, and says where it is missing. */
    public void notFound(String field, String value, String detail) {
        addUnlessFull(() -> FieldError.notFound(field, value, detail));
    }

    /** Adds the error of a field that exceeds its size in bytes. */
    public void tooLong(String field, int maxBytes) {
        addUnlessFull(() -> FieldError.tooLong(field, maxBytes));
    }

    /** Adds the error of a list that has too many items. */
    public void tooMany(String field, int actual, int max) {
        addUnlessFull(() -> FieldError.tooMany(field, actual, max));
    }

    /** Returns all errors as one message without repetitions: a single error as it is, several in brackets. */
    public String message() {
        Set<String> messages = new LinkedHashSet<>();
        list().forEach(error -> messages.add(error.message()));
        String joined = String.join(", ", messages);
        return messages.size() == 1 ? joined : "[" + joined + "]";
    }
}

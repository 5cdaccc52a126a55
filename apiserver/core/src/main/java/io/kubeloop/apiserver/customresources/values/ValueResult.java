/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The errors of one value, and how many checks it passed (upstream: {@code validate.Result}). Equal messages count
 * once. Confined to one validation.
 */
final class ValueResult {

    /** An error whose path is relative to the validated value; creates the problem at the final path. */
    private record ValueError(String path, Function<String, FieldError> problem) {}

    private final Map<String, ValueError> errors = new LinkedHashMap<>();
    private int matches;

    boolean isValid() {
        return errors.isEmpty();
    }

    int matches() {
        return matches;
    }

    ValueResult count() {
        matches++;
        return this;
    }

    ValueResult merge(ValueResult other) {
        other.errors.forEach(errors::putIfAbsent);
        matches += other.matches;
        return this;
    }

    /** Drops the errors and keeps the count: an unchanged value may stay invalid. */
    void tolerate() {
        errors.clear();
    }

    private void add(String path, String message, Function<String, FieldError> problem) {
        errors.putIfAbsent(message, new ValueError(path, problem));
    }

    void required(String path) {
        add(path, path + " in body is required", field -> FieldError.required(field, ""));
    }

    void notAllowed(String path, JsonValue value, List<JsonValue> allowed) {
        List<String> supported = allowed.stream()
                .map(one -> one instanceof JsonString text
                        ? text.value()
                        : GoText.sorted(one).toString())
                .toList();
        add(
                path,
                path + " in body should be one of",
                field -> FieldError.notSupported(field, GoText.untyped(value), supported));
    }

    void wrongType(String path, String expected, String actual) {
        String message = path + " in body must be of type " + expected + ": " + GoText.quoted(actual);
        add(path, message, field -> FieldError.typeInvalid(field, actual, message));
    }

    void tooLong(String path, long max) {
        add(path, path + " in body should be at most " + max + " chars long", field -> FieldError.tooLong(field, max));
    }

    void tooManyItems(String path, long actual, long max) {
        String message = path + " in body should have at most " + max + " items";
        add(path, message, field -> FieldError.tooMany(field, actual, max));
    }

    void tooManyProperties(String path, long actual, long max) {
        String message = path + " in body should have at most " + max + " properties";
        add(path, message, field -> FieldError.tooMany(field, actual, max));
    }

    /** Adds an error that upstream reports as an invalid value. */
    void invalid(String path, JsonValue value, String should) {
        String message = path + " in body " + should;
        add(path, message, field -> FieldError.invalid(field, GoText.untyped(value), message));
    }

    void invalid(String path, long value, String should) {
        invalid(path, JsonNumber.of(value), should);
    }

    void unknownMember(String path, String member) {
        String message = path + "." + member + " in body is a forbidden property";
        add(path, message, field -> FieldError.invalid(field, member, message));
    }

    void notPositiveFactor(String path, JsonNumber factor) {
        String message = "factor MultipleOf declared for " + path + " must be positive: " + GoText.plain(factor);
        add(path, message, field -> FieldError.invalid(field, factor, message));
    }

    /** Adds an error that concerns no particular field. As upstream, it has the path of the whole object. */
    void general(String message) {
        errors.putIfAbsent(message, new ValueError("", field -> FieldError.invalid(field, "", message)));
    }

    /**
     * Returns the errors as problems of fields.
     *
     * @param base the path of the validated value; empty for a whole object
     */
    FieldErrors problems(String base) {
        FieldErrors problems = new FieldErrors();
        errors.values().forEach(error -> {
            String name = error.path().startsWith(".") ? error.path().substring(1) : error.path();
            String field = name.isEmpty() ? base : Paths.child(base, name);
            problems.add(error.problem().apply(Paths.shown(field)));
        });
        return problems;
    }
}

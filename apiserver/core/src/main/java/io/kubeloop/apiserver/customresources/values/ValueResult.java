package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.FieldProblem;
import io.kubeloop.apiserver.customresources.schema.GoJson;
import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The errors of one value, and how many checks it passed (upstream: {@code validate.Result}). Equal messages count once.
 * Confined to one validation.
 */
final class ValueResult {

    /** An error whose path is relative to the validated value; creates the problem at the final path. */
    private record ValueError(String path, Function<String, FieldProblem> problem) {}

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

    private void add(String path, String message, Function<String, FieldProblem> problem) {
        errors.putIfAbsent(message, new ValueError(path, problem));
    }

    void required(String path) {
        add(path, path + " in body is required", field -> FieldProblem.required(field, ""));
    }

    void notAllowed(String path, JsonValue value, List<JsonValue> allowed) {
        List<String> supported = allowed.stream()
                .map(one -> one instanceof JsonString text
                        ? text.value()
                        : GoJson.sorted(one).toString())
                .toList();
        add(path, path + " in body should be one of", field -> FieldProblem.notSupported(field, value, supported));
    }

    void wrongType(String path, String expected, String actual) {
        String message = path + " in body must be of type " + expected + ": " + GoJson.quoted(actual);
        add(path, message, field -> FieldProblem.typeInvalid(field, actual, message));
    }

    void tooLong(String path, long max) {
        add(
                path,
                path + " in body should be at most " + max + " chars long",
                field -> FieldProblem.tooLong(field, max));
    }

    void tooManyItems(String path, long actual, long max) {
        String message = path + " in body should have at most " + max + " items";
        add(path, message, field -> FieldProblem.tooMany(field, actual, max));
    }

    void tooManyProperties(String path, long actual, long max) {
        String message = path + " in body should have at most " + max + " properties";
        add(path, message, field -> FieldProblem.tooMany(field, actual, max));
    }

    /** Adds an error that upstream reports as an invalid value. */
    void invalid(String path, JsonValue value, String should) {
        String message = path + " in body " + should;
        add(path, message, field -> FieldProblem.invalid(field, value, message));
    }

    void invalid(String path, long value, String should) {
        invalid(path, JsonNumber.of(value), should);
    }

    void unknownMember(String path, String member) {
        String message = path + "." + member + " in body is a forbidden property";
        add(path, message, field -> FieldProblem.invalid(field, member, message));
    }

    void notPositiveFactor(String path, JsonNumber factor) {
        String message = "factor MultipleOf declared for " + path + " must be positive: " + GoJson.plain(factor);
        add(path, message, field -> FieldProblem.invalid(field, factor, message));
    }

    /** Adds an error about no field in particular. Upstream shows it at the path of the whole object. */
    void general(String message) {
        errors.putIfAbsent(message, new ValueError("", field -> FieldProblem.invalid(field, "", message)));
    }

    /**
     * Returns the errors as problems of fields.
     *
     * @param base the path of the validated value; empty for a whole object
     */
    List<FieldProblem> problems(String base) {
        List<FieldProblem> problems = new ArrayList<>();
        errors.values().forEach(error -> {
            String name = error.path().startsWith(".") ? error.path().substring(1) : error.path();
            String field = name.isEmpty() ? base : Paths.child(base, name);
            problems.add(error.problem().apply(Paths.shown(field)));
        });
        return problems;
    }
}

package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.UserInfo;
import io.kubeloop.apiserver.machinery.Warnings;
import io.kubeloop.apiserver.machinery.WriteOptions;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Query parameters with Go's semantics: an absent and an empty value are the same. Immutable. */
public record Query(Map<String, String> parameters) {

    private static final List<String> FIELD_VALIDATION = List.of("", "Ignore", "Strict", "Warn");
    private static final int MAX_MANAGER_LENGTH = 128;

    /** Returns the first value of a parameter; empty if it is absent. */
    public String text(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Returns a boolean parameter; as upstream, {@code 1}, {@code true} and a name without a value are true. */
    boolean flag(String name) {
        String value = parameters.get(name);
        return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    /** Returns a boolean parameter; null if it is absent. */
    @Nullable
    Boolean optionalFlag(String name) {
        return text(name).isEmpty() ? null : (Boolean) flag(name);
    }

    /**
     * Returns an integer parameter; null if it is absent.
     *
     * @throws ApiFailure 400 if it is not a number
     */
    @Nullable
    Long number(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return null;
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }

    /**
     * Returns the options of a write.
     *
     * @param kind the kind of the options, such as {@code CreateOptions}
     * @throws ApiFailure 422 if an option is invalid
     */
    public WriteOptions writeOptions(String kind) {
        boolean dryRun = dryRun(kind);
        String requested = text("fieldValidation");
        FieldErrors errors = new FieldErrors();
        errors.oneOf("fieldValidation", requested, FIELD_VALIDATION);
        String manager = text("fieldManager");
        if (manager.length() > MAX_MANAGER_LENGTH) {
            errors.tooLong("fieldManager", MAX_MANAGER_LENGTH);
        }
        if (!errors.isEmpty()) {
            throw ApiFailure.invalid("meta.k8s.io", kind, "", errors);
        }
        WriteOptions.FieldValidation validation = requested.isEmpty()
                ? WriteOptions.FieldValidation.WARN
                : WriteOptions.FieldValidation.valueOf(requested.toUpperCase(Locale.ROOT));
        return new WriteOptions(dryRun, manager, validation, UserInfo.ADMIN, new Warnings());
    }

    /**
     * Returns whether the request is a dry run.
     *
     * @param options the kind of the options that contain the parameter, such as {@code CreateOptions}
     * @throws ApiFailure 422 if the value is not {@code All}
     */
    public boolean dryRun(String options) {
        String value = text("dryRun");
        return dryRun(options, value.isEmpty() ? JsonArray.EMPTY : JsonArray.of(new JsonString(value)));
    }

    /** Returns whether the {@code dryRun} values of a body request a dry run; see {@link #dryRun(String)}. */
    static boolean dryRun(String options, JsonArray values) {
        if (!values.elements().stream().allMatch(new JsonString("All")::equals)) {
            FieldErrors errors = new FieldErrors();
            errors.notSupported("dryRun", values, List.of("All"));
            throw ApiFailure.invalid("meta.k8s.io", options, "", errors);
        }
        return !values.isEmpty();
    }
}

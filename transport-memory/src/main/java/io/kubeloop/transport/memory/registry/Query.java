package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.machinery.FieldErrors;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Query parameters, read as Go reads them: absent and empty are the same. Immutable. */
record Query(Map<String, String> parameters) {

    String text(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** {@code 1}, {@code true}, and the name alone are true, as upstream. */
    boolean flag(String name) {
        String value = parameters.get(name);
        return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    /** Returns a flag that may be absent. */
    @Nullable
    Boolean optionalFlag(String name) {
        return text(name).isEmpty() ? null : (Boolean) flag(name);
    }

    /**
     * Returns a whole number, or null if absent.
     *
     * @throws ApiFailure 400 if it is no number
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
     * Returns whether the write is not to happen.
     *
     * @param options the kind of the options that the parameter belongs to, such as {@code CreateOptions}
     * @throws ApiFailure 422 if it asks for something else
     */
    boolean dryRun(String options) {
        String value = text("dryRun");
        return dryRun(options, value.isEmpty() ? JsonArray.EMPTY : JsonArray.of(new JsonString(value)));
    }

    /** Does the same with the values that a body has. */
    static boolean dryRun(String options, JsonArray values) {
        if (!values.elements().stream().allMatch(new JsonString("All")::equals)) {
            FieldErrors errors = new FieldErrors();
            errors.notSupported("dryRun", values, List.of("All"));
            throw ApiFailure.invalid("meta.k8s.io", options, "", errors);
        }
        return !values.isEmpty();
    }
}

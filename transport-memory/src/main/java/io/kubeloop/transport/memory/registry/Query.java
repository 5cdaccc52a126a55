package io.kubeloop.transport.memory.registry;

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

    /** Returns whether the request is to be tried without being carried out. */
    boolean dryRun() {
        String value = text("dryRun");
        if (!value.isEmpty() && !value.equals("All")) {
            throw ApiFailure.badRequest("dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
        }
        return !value.isEmpty();
    }
}

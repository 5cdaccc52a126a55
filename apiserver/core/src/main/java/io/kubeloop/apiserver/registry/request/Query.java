/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry.request;

import io.kubeloop.apiserver.fielderrors.Digits;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.apiserver.rest.SentDocument;
import io.kubeloop.apiserver.rest.ServerWarnings;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Query parameters with Go's semantics: an absent and an empty value are the same. Immutable.
 *
 * @param parameters the parameters
 * @param user the client that sends the request
 * @param warnings collects the warnings about the request; confined to its thread
 * @param duplicateKeys a text for each key that the body has twice in its encoding, which is not JSON
 */
public record Query(
        Map<String, String> parameters, UserInfo user, ServerWarnings warnings, List<String> duplicateKeys) {

    private static final List<String> FIELD_VALIDATION = List.of("", "Ignore", "Strict", "Warn");

    /** Creates the parameters of a request by the administrator. */
    public Query(Map<String, String> parameters) {
        this(parameters, UserInfo.ADMIN);
    }

    /** Creates the parameters of a request by this user. */
    public Query(Map<String, String> parameters, UserInfo user) {
        this(parameters, user, new ServerWarnings(), List.of());
    }

    /** Returns the first value of a parameter; empty if it is absent. */
    public String text(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Returns a boolean parameter; as upstream, {@code 1}, {@code true} and a name without a value are true. */
    public boolean flag(String name) {
        String value = parameters.get(name);
        return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    /** Returns a boolean parameter; null if it is absent. */
    @Nullable
    public Boolean optionalFlag(String name) {
        return text(name).isEmpty() ? null : (Boolean) flag(name);
    }

    /**
     * Returns an integer parameter; null if it is absent.
     *
     * @throws StatusException 400 if it is not a number
     */
    @Nullable
    public Long number(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return null;
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            String problem = Digits.areSigned(value, Integer.MAX_VALUE) ? "value out of range" : "invalid syntax";
            throw StatusException.badRequest("strconv.ParseInt: parsing \"" + value + "\": " + problem);
        }
    }

    /**
     * Returns the options of a write.
     *
     * @param kind the kind of the options, such as {@code CreateOptions}
     * @throws StatusException 422 if an option is invalid
     */
    public WriteOptions writeOptions(String kind) {
        FieldErrors errors = new FieldErrors();
        String manager = text("fieldManager");
        MetaValidation.manager("fieldManager", manager, errors);
        JsonArray dryRun = dryRunValues();
        checkDryRun(dryRun, errors);
        String requested = text("fieldValidation");
        errors.oneOf("fieldValidation", requested, FIELD_VALIDATION);
        if (!errors.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", kind, "", errors);
        }
        WriteOptions.FieldValidation validation = requested.isEmpty()
                ? WriteOptions.FieldValidation.WARN
                : WriteOptions.FieldValidation.valueOf(requested.toUpperCase(Locale.ROOT));
        return new WriteOptions(
                !dryRun.isEmpty(), manager, validation, user, warnings, duplicateKeys, new SentDocument());
    }

    /**
     * Returns the context of a deletion: the client, the warnings and the sent document.
     *
     * @param body the body of the request; null if it has none
     */
    public WriteOptions deletion(byte @Nullable [] body) {
        SentDocument sent = new SentDocument();
        if (body != null && body.length > 0) {
            sent.set(body);
        }
        return new WriteOptions(false, "", WriteOptions.FieldValidation.IGNORE, user, warnings, duplicateKeys, sent);
    }

    /**
     * Returns whether the request is a dry run.
     *
     * @param options the kind of the options that contain the parameter, such as {@code CreateOptions}
     * @throws StatusException 422 if the value is not {@code All}
     */
    public boolean dryRun(String options) {
        return dryRun(options, dryRunValues());
    }

    private JsonArray dryRunValues() {
        String value = parameters.get("dryRun");
        return value == null ? JsonArray.EMPTY : JsonArray.of(new JsonString(value));
    }

    /** Returns whether the {@code dryRun} values of a body request a dry run; see {@link #dryRun(String)}. */
    public static boolean dryRun(String options, JsonArray values) {
        FieldErrors errors = new FieldErrors();
        checkDryRun(values, errors);
        if (!errors.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", options, "", errors);
        }
        return !values.isEmpty();
    }

    private static void checkDryRun(JsonArray values, FieldErrors errors) {
        if (!values.elements().stream().allMatch(new JsonString("All")::equals)) {
            errors.notSupported("dryRun", values, List.of("All"));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import java.util.List;
import java.util.Objects;

/**
 * The configuration of an apply.
 *
 * @param object the configuration
 * @param force whether to take fields from other managers
 * @param text the YAML text of the configuration
 */
record AppliedConfig(JsonObject object, boolean force, String text) {

    /**
     * Reads the body of a request; an empty body is an empty configuration.
     *
     * @throws StatusException 400 if it is not YAML, or not an object
     */
    static AppliedConfig read(ApiRequest request, Query query) {
        String text;
        JsonValue value;
        try {
            text = YamlDocuments.text(
                    "the configuration", Objects.requireNonNull(request.body()).bytes());
            value = YamlDocuments.first("the configuration", text);
        } catch (DecodeException e) {
            throw StatusException.badRequest(
                    "error decoding patch: error converting YAML to JSON: yaml: " + YamlDocuments.serverMessage(e));
        }
        return new AppliedConfig(object(value), Boolean.TRUE.equals(query.optionalFlag("force")), text);
    }

    private static JsonObject object(JsonValue value) {
        if (value instanceof JsonObject object) {
            return object;
        }
        if (value == JsonNull.NULL) {
            return JsonObject.EMPTY;
        }
        String type = value instanceof JsonArray
                ? "array"
                : value instanceof JsonString ? "string" : value instanceof JsonBoolean ? "bool" : "number";
        throw StatusException.badRequest(
                "error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot" + " unmarshal "
                        + type + " into Go value of type map[string]interface {}");
    }

    /**
     * Reports keys that occur twice, after the apply.
     *
     * @throws StatusException 400 if such a key exists and the validation is strict
     */
    void checkDuplicates(WriteOptions options) {
        if (options.fieldValidation() == WriteOptions.FieldValidation.IGNORE) {
            return;
        }
        List<String> duplicates = YamlDocuments.duplicateKeys(text);
        if (options.fieldValidation() == WriteOptions.FieldValidation.WARN) {
            options.warnings().addAll(duplicates);
        } else if (!duplicates.isEmpty()) {
            throw StatusException.badRequest(
                    "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal" + " errors:\n  "
                            + String.join("\n  ", duplicates));
        }
    }
}

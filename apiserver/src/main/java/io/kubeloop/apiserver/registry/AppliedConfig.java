package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The configuration of an apply.
 *
 * @param object the configuration
 * @param force whether to take fields from other managers
 * @param strict whether a key that occurs twice is an error
 * @param text the YAML text of the configuration
 */
record AppliedConfig(JsonObject object, boolean force, boolean strict, String text) {

    /**
     * Reads the body of a request; an empty body is an empty configuration.
     *
     * @throws ApiFailure 400 if it is not YAML, or not an object
     */
    static AppliedConfig read(ApiRequest request, Query query) {
        String text = new String(Objects.requireNonNull(request.body()).bytes(), StandardCharsets.UTF_8);
        List<YamlDocuments.Document> documents;
        try {
            documents = YamlDocuments.parseLastKeyCounts("the configuration", text);
        } catch (DecodeException e) {
            throw ApiFailure.badRequest("error decoding YAML: error converting YAML to JSON: yaml: " + e.getMessage());
        }
        JsonValue value = documents.isEmpty() ? JsonNull.NULL : documents.get(0).value();
        boolean strict = query.text("fieldValidation").equals("Strict");
        return new AppliedConfig(object(value), Boolean.TRUE.equals(query.optionalFlag("force")), strict, text);
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
        throw ApiFailure.badRequest("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot"
                + " unmarshal " + type + " into Go value of type map[string]interface {}");
    }

    /**
     * Checks what is an error only in strict validation.
     *
     * @throws ApiFailure 400 if a key occurs twice
     */
    void checkStrictly() {
        if (!strict) {
            return;
        }
        try {
            var unused = YamlDocuments.parse("the configuration", text);
        } catch (DecodeException e) {
            throw ApiFailure.badRequest(
                    "error strict decoding YAML: error converting YAML to JSON: yaml: " + e.getMessage());
        }
    }
}

package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** ConfigMaps (upstream: {@code pkg/registry/core/configmap}). */
final class ConfigMapStrategy implements RestStrategy {

    private static final List<String> CONTENT = List.of("data", "binaryData");

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        for (String field : CONTENT) {
            for (String key : object.object(field).members().keySet()) {
                errors.invalid(field + "[" + key + "]", key, NameValidation.configMapKey(key));
            }
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        Immutability.check(object, old, CONTENT, errors);
    }
}

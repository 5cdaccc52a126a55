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
            object.object(field).members().forEach((key, value) -> {
                errors.invalid(field + "[" + key + "]", key, NameValidation.configMapKey(key));
                errors.text(field + "[" + key + "]", value);
            });
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        Immutability.check(object, old, CONTENT, errors);
    }
}

package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.DataMapRules;
import io.kubeloop.apiserver.kinds.validation.Immutability;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The strategy of ConfigMaps (upstream: {@code pkg/registry/core/configmap}). */
final class ConfigMapStrategy implements RestStrategy {

    private static final List<String> CONTENT = List.of("data", "binaryData");

    @Override
    public JsonObject defaults(JsonObject object) {
        return DataMapRules.canonical("binaryData", object);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        long size =
                DataMapRules.checkTexts("data", object, errors) + DataMapRules.checkBytes("binaryData", object, errors);
        for (String key : object.object("data").members().keySet()) {
            if (object.object("binaryData").has(key)) {
                errors.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            }
        }
        if (size > DataMapRules.MAX_BYTES) {
            errors.tooLong("[]", DataMapRules.MAX_BYTES); // an error of the object as a whole
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        Immutability.check(object, old, CONTENT, errors);
    }
}

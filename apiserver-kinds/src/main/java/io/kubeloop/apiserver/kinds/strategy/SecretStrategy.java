package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.Base64Text;
import io.kubeloop.apiserver.kinds.validation.DataMapRules;
import io.kubeloop.apiserver.kinds.validation.Immutability;
import io.kubeloop.apiserver.kinds.validation.SecretTypes;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The strategy of Secrets (upstream: {@code pkg/registry/core/secret}). */
final class SecretStrategy implements RestStrategy {

    private static final Defaults DEFAULTS = Defaults.parse("type = \"Opaque\"");

    /** Moves {@code stringData}, which is write-only, into {@code data}. */
    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject result = DEFAULTS.apply(object).without("stringData");
        JsonObject data = object.object("data");
        for (Map.Entry<String, JsonValue> entry :
                object.object("stringData").members().entrySet()) {
            if (entry.getValue() instanceof JsonString text) {
                byte[] bytes = text.value().getBytes(StandardCharsets.UTF_8);
                data = data.with(entry.getKey(), Base64Text.encode(bytes));
            }
        }
        return data.isEmpty() ? result : DataMapRules.canonical("data", result.with("data", data));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        if (DataMapRules.checkBytes("data", object, errors) > DataMapRules.MAX_BYTES) {
            errors.tooLong("data", DataMapRules.MAX_BYTES);
        }
        SecretTypes.check(object, errors);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (!object.string("type").equals(old.string("type"))) {
            errors.invalid("type", object.string("type"), "field is immutable");
        }
        Immutability.check(object, old, List.of("data"), errors);
    }

    @Override
    public Map<String, String> fields(JsonObject object) {
        return Map.of("type", object.string("type"));
    }

    @Override
    public List<String> fieldNames() {
        return List.of("type");
    }
}

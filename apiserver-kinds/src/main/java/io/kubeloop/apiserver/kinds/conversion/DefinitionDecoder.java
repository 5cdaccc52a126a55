package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.apiserver.machinery.ObjectDecoder;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.TypedJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Decodes CustomResourceDefinitions. An empty {@code dependencies} of a schema does not survive the decoding, but upstream's
 * validation sees it and rejects the definition; this decoder therefore keeps it.
 *
 * @param schema the type of the objects
 */
public record DefinitionDecoder(StructSchema schema) implements ObjectDecoder {

    private static final String DEPENDENCIES = "dependencies";

    @Override
    public TypedJson.Decoded decode(byte[] json) {
        TypedJson.Decoded decoded = TypedJson.decode(schema, json);
        if (!new String(json, StandardCharsets.UTF_8).contains('"' + DEPENDENCIES + '"')) {
            return decoded;
        }
        JsonObject kept = kept(decoded.object(), JsonObject.parse(json));
        return new TypedJson.Decoded(kept, decoded.strictErrors());
    }

    private static JsonObject kept(JsonObject decoded, JsonObject sent) {
        JsonObject result = decoded;
        for (Map.Entry<String, JsonValue> member : sent.members().entrySet()) {
            String name = member.getKey();
            JsonValue known = decoded.get(name);
            if (known != null) {
                result = result.with(name, kept(known, member.getValue()));
            } else if (name.equals(DEPENDENCIES) && member.getValue().equals(JsonObject.EMPTY)) {
                result = result.with(name, JsonObject.EMPTY);
            }
        }
        return result;
    }

    private static JsonValue kept(JsonValue decoded, JsonValue sent) {
        if (decoded instanceof JsonObject object && sent instanceof JsonObject source) {
            return kept(object, source);
        }
        if (decoded instanceof JsonArray array
                && sent instanceof JsonArray source
                && array.elements().size() == source.elements().size()) {
            List<JsonValue> elements = new ArrayList<>();
            for (int i = 0; i < array.elements().size(); i++) {
                elements.add(kept(array.elements().get(i), source.elements().get(i)));
            }
            return JsonArray.of(elements);
        }
        return decoded;
    }
}

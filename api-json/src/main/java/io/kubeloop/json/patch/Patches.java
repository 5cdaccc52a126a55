package io.kubeloop.json.patch;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Applies any kind of patch to an object, as an API server does. Thread-safe: stateless. */
public final class Patches {

    private Patches() {}

    /**
     * Returns the object after the patch. Validates only the patch; the server must validate the change.
     *
     * <p>{@link Patch.Type#APPLY} merges the given fields, and merges lists by the keys of strategic merge patches. It does not
     * track the managers of fields, so a field that a manager omits later stays.
     *
     * @param type the format of the body
     * @param schema the rules for merging lists of this kind
     * @param object the current object; empty if an apply creates it
     * @param body the patch; JSON, or YAML for an apply
     * @throws PatchException if the patch is invalid or does not fit the object
     */
    public static JsonObject apply(Patch.Type type, MergeSchema schema, JsonObject object, byte[] body) {
        return switch (type) {
            case JSON -> requireObject(JsonPatch.of(parse(body)).apply(object), "the patched document");
            case MERGE -> MergePatch.apply(object, requireObject(parse(body), "a merge patch"));
            case STRATEGIC_MERGE ->
                new StrategicMerger(true).merge(object, requireObject(parse(body), "a strategic merge patch"), schema);
            case APPLY -> new StrategicMerger(true).merge(object, parseYaml(body), schema);
        };
    }

    private static JsonValue parse(byte[] body) {
        try {
            return JsonValue.parse(body);
        } catch (DecodeException e) {
            throw PatchException.malformed("the patch is not JSON: " + e.getMessage());
        }
    }

    private static JsonObject parseYaml(byte[] body) {
        List<YamlDocuments.Document> documents;
        try {
            documents = YamlDocuments.parse("the patch", new String(body, StandardCharsets.UTF_8));
        } catch (DecodeException e) {
            throw PatchException.malformed("the patch is not YAML: " + e.getMessage());
        }
        if (documents.size() != 1) {
            throw PatchException.malformed("an apply needs exactly one document, got " + documents.size());
        }
        return requireObject(documents.get(0).value(), "an apply");
    }

    private static JsonObject requireObject(JsonValue value, String what) {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw PatchException.malformed(what + " should be an object, got " + value);
    }
}

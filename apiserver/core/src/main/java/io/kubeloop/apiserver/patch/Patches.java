/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.patch.JsonPatch;
import io.kubeloop.json.patch.MergePatch;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Applies any kind of patch to an object, as an API server does. Thread-safe: stateless. */
public final class Patches {

    private Patches() {}

    private static final StructSchema OPERATION = new StructSchema("handlers.jsonPatchOp", false, null, () -> {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (String name : List.of("op", "path", "from", "value")) {
            TypeSchema type = name.equals("value") ? new TypeSchema.Any() : TypeSchema.Scalar.STRING;
            fields.put(name, new Field(name, type, false, null, List.of(), StructSchema.PatchStrategy.DEFAULT));
        }
        return fields;
    });

    /**
     * A patch that was read.
     *
     * @param patch the patch
     * @param strictErrors the duplicate fields of the patch, and the unknown fields of the operations of a JSON patch
     */
    public record Reading(JsonValue patch, List<String> strictErrors) {

        /** Copies the errors. */
        public Reading {
            strictErrors = List.copyOf(strictErrors);
        }
    }

    /**
     * Returns the object after the patch. Validates only the patch; the server must validate the change.
     *
     * <p>{@link Patch.Type#APPLY} merges the given fields, and merges lists by the keys of strategic merge patches. It
     * does not track the managers of fields, so a field that a manager omits later stays.
     *
     * @param type the format of the body
     * @param schema the rules for merging lists of this kind
     * @param object the current object; empty if an apply creates it
     * @param body the patch; JSON, or YAML for an apply
     * @throws PatchException if the patch is invalid or does not fit the object
     */
    public static JsonObject apply(Patch.Type type, MergeSchema schema, JsonObject object, byte[] body) {
        return apply(
                type,
                schema,
                object,
                type == Patch.Type.APPLY
                        ? parseYaml(body)
                        : read(type, body, false).patch());
    }

    /**
     * Returns the object after the patch; see {@link #apply(Patch.Type, MergeSchema, JsonObject, byte[])}.
     *
     * @param patch the patch from {@link #read}
     * @throws PatchException if the patch is invalid or does not fit the object
     */
    public static JsonObject apply(Patch.Type type, MergeSchema schema, JsonObject object, JsonValue patch) {
        return switch (type) {
            case JSON -> (JsonObject) JsonPatch.of(patch).apply(object);
            case MERGE -> MergePatch.apply(object, (JsonObject) patch);
            case STRATEGIC_MERGE, APPLY -> new StrategicMerger().merge(object, (JsonObject) patch, schema);
        };
    }

    /**
     * Reads a patch in JSON. The messages of its errors are those of kube-apiserver.
     *
     * @param type the format of the body: any but an apply
     * @param strict whether to look for unknown and duplicate fields
     * @throws PatchException if the body is not such a patch
     */
    public static Reading read(Patch.Type type, byte[] body, boolean strict) {
        try {
            if (type == Patch.Type.JSON) {
                return strict ? operations(body) : new Reading(parse(body), List.of());
            }
            TypedJson.Decoded decoded = TypedJson.untyped(body);
            if (type == Patch.Type.MERGE && parse(body) == JsonNull.NULL) {
                throw PatchException.malformed("Invalid JSON Patch");
            }
            return new Reading(decoded.object(), strict ? decoded.strictErrors() : List.of());
        } catch (DecodeException e) {
            if (!isJson(body)) {
                throw PatchException.malformed("invalid JSON patch");
            }
            if (type == Patch.Type.MERGE && !strict) {
                throw PatchException.malformed("Invalid JSON Patch");
            }
            String prefix = type == Patch.Type.STRATEGIC_MERGE || !strict ? "" : "error decoding patch: ";
            throw PatchException.malformed(prefix + e.getMessage());
        }
    }

    private static boolean isJson(byte[] body) {
        try {
            JsonValue.parse(body);
            return true;
        } catch (DecodeException e) {
            return false;
        }
    }

    private static Reading operations(byte[] body) {
        TypedJson.DecodedList decoded = TypedJson.decodeList(OPERATION, body);
        List<String> errors =
                decoded.strictErrors().stream().map("json patch "::concat).toList();
        JsonValue patch = parse(body);
        return new Reading(patch == JsonNull.NULL ? JsonArray.EMPTY : patch, errors);
    }

    private static JsonValue parse(byte[] body) {
        try {
            return JsonValue.parse(body);
        } catch (DecodeException e) {
            var unused = TypedJson.decodeList(OPERATION, body); // the server's words for a malformed document
            throw e;
        }
    }

    /**
     * Returns a patched object as the server quotes it in errors. The objects that a patch has visited have sorted
     * members, all others have the order of the object before the patch.
     *
     * @param type the format of the patch
     * @param patched the object after the patch
     * @param patch the patch
     */
    public static String text(Patch.Type type, JsonObject patched, JsonValue patch) {
        String text = switch (type) {
            case JSON -> JsonPatch.of(patch).visited(patched).toString();
            case MERGE -> MergePatch.visited(patched, patch).toString();
            case STRATEGIC_MERGE, APPLY -> GoText.plain(patch);
        };
        return type == Patch.Type.STRATEGIC_MERGE
                ? text
                : text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    private static JsonObject parseYaml(byte[] body) {
        List<YamlDocuments.Document> documents;
        try {
            documents = YamlDocuments.parse("the patch", YamlDocuments.text("the patch", body));
        } catch (DecodeException e) {
            throw PatchException.malformed("the patch is not YAML: " + e.getMessage());
        }
        if (documents.size() != 1) {
            throw PatchException.malformed("an apply needs exactly one document, got " + documents.size());
        }
        if (documents.get(0).value() instanceof JsonObject object) {
            return object;
        }
        throw PatchException.malformed(
                "an apply should be an object, got " + documents.get(0).value());
    }
}

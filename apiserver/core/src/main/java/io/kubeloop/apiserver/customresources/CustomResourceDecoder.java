/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects.MalformedObjectException;
import io.kubeloop.apiserver.customresources.objects.ObjectMetaType;
import io.kubeloop.apiserver.customresources.objects.ObjectMetaType.MalformedMetadataException;
import io.kubeloop.apiserver.customresources.objects.Pruning;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.TypedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes custom resources: checks their metadata, and drops the fields that their schema does not have (upstream:
 * {@code unstructuredSchemaCoercer}). Immutable; thread-safe.
 */
final class CustomResourceDecoder implements ObjectDecoder {

    private final SchemaProps schema;

    CustomResourceDecoder(SchemaProps schema) {
        this.schema = schema;
    }

    @Override
    public TypedJson.Decoded decode(byte[] json) {
        return decode(json, true);
    }

    /** As upstream, only a body loses its nulls: one that an apply leaves in the merged object is checked. */
    @Override
    public TypedJson.Decoded decodeMerged(byte[] json) {
        return decode(json, false);
    }

    private TypedJson.Decoded decode(byte[] json, boolean dropsNulls) {
        TypedJson.Decoded read = TypedJson.untyped(json);
        JsonObject object = read.object();
        List<String> unknown = new ArrayList<>();
        JsonObject metadata = metadata(object, unknown);
        List<String> pruned = new ArrayList<>();
        JsonObject present = Pruning.pruneObject(object, schema, pruned);
        JsonValue known = dropsNulls ? Pruning.pruneNulls(present, schema) : present;
        List<String> embedded = new ArrayList<>();
        JsonObject coerced;
        try {
            coerced = (JsonObject) EmbeddedObjects.coerce("", known, schema, false, embedded);
        } catch (MalformedObjectException e) {
            throw new DecodeException(e.problem().message(), e);
        }
        pruned.stream().sorted().forEach(unknown::add);
        embedded.stream().sorted().forEach(unknown::add);
        List<String> errors = new ArrayList<>(read.strictErrors());
        unknown.forEach(path -> errors.add("unknown field \"" + path + "\""));
        return new TypedJson.Decoded(object.has("metadata") ? coerced.with("metadata", metadata) : coerced, errors);
    }

    @Override
    public boolean requiresKind() {
        return true;
    }

    private static JsonObject metadata(JsonObject object, List<String> unknown) {
        JsonValue metadata = object.get("metadata");
        if (metadata == null || metadata == JsonNull.NULL) {
            return JsonObject.EMPTY;
        }
        try {
            return ObjectMetaType.read(metadata, "metadata", unknown);
        } catch (MalformedMetadataException e) {
            throw new DecodeException(String.valueOf(e.getMessage()), e);
        }
    }
}

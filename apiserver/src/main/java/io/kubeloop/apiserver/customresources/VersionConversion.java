package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.objects.Defaulting;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects.MalformedObjectException;
import io.kubeloop.apiserver.customresources.objects.Pruning;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.machinery.Conversion;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;

/**
 * The conversion of stored objects to a served version: it changes the version, and applies the schema of that version to
 * objects that may have been written under another one (upstream: the decoder of the storage). Immutable; thread-safe.
 */
final class VersionConversion implements Conversion {

    private final SchemaProps schema;
    private final String servedVersion;
    private final String storageVersion;

    VersionConversion(SchemaProps schema, String servedVersion, String storageVersion) {
        this.schema = schema.asResource();
        this.servedVersion = servedVersion;
        this.storageVersion = storageVersion;
    }

    @Override
    public JsonObject toStorage(JsonObject served) {
        return served.with("apiVersion", storageVersion);
    }

    @Override
    public JsonObject fromStorage(JsonObject stored) {
        JsonObject pruned = (JsonObject) Pruning.pruneNulls(Pruning.prune(stored, schema), schema);
        try {
            pruned = (JsonObject) EmbeddedObjects.coerce("", pruned, schema, true, new ArrayList<>());
        } catch (MalformedObjectException e) {
            throw new IllegalStateException("malformed metadata was to be dropped", e);
        }
        JsonObject metadata = stored.object("metadata");
        return Defaulting.apply(pruned, schema).with("apiVersion", servedVersion).with("metadata", metadata);
    }
}

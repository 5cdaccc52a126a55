package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.objects.Defaulting;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects.MalformedObjectException;
import io.kubeloop.apiserver.customresources.objects.Pruning;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.machinery.Conversion;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Map;

/**
 * The conversion between a served version and the storage version (upstream: the codec of the storage). Immutable;
 * thread-safe.
 *
 * <p>A stored object is pruned and gets defaults by the schema of the version in which it is stored. Then it is pruned by the
 * schema of the served version, which sets no defaults. An object is stored as it was validated: members that the storage
 * version does not have stay in the storage, and no version shows them.
 */
final class VersionConversion implements Conversion {

    private final Map<String, SchemaProps> schemas;
    private final String servedVersion;
    private final String storageVersion;

    /**
     * Creates a conversion.
     *
     * @param schemas the schemas of all versions by {@code apiVersion}
     * @param servedVersion the {@code apiVersion} of served objects
     * @param storageVersion the {@code apiVersion} of objects that are stored from now on
     */
    VersionConversion(Map<String, SchemaProps> schemas, String servedVersion, String storageVersion) {
        this.schemas = Map.copyOf(schemas);
        this.servedVersion = servedVersion;
        this.storageVersion = storageVersion;
    }

    @Override
    public JsonObject toStorage(JsonObject served) {
        return served.with("apiVersion", storageVersion);
    }

    @Override
    public JsonObject fromStorage(JsonObject stored) {
        String version = stored.string("apiVersion");
        SchemaProps schema = schemas.get(version);
        JsonObject object = schema == null ? stored : Defaulting.apply(pruned(stored, schema), schema);
        SchemaProps servedSchema = schemas.get(servedVersion);
        if (!version.equals(servedVersion) && servedSchema != null) {
            object = pruned(object.with("apiVersion", servedVersion), servedSchema);
        }
        return object.with("metadata", stored.object("metadata"));
    }

    private static JsonObject pruned(JsonObject object, SchemaProps schema) {
        JsonObject known = Pruning.pruneObject(object, schema, new ArrayList<>());
        try {
            return (JsonObject)
                    EmbeddedObjects.coerce("", Pruning.pruneNulls(known, schema), schema, true, new ArrayList<>());
        } catch (MalformedObjectException e) {
            throw new IllegalStateException("malformed metadata was to be dropped", e);
        }
    }
}

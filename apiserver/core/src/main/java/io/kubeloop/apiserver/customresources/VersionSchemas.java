/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.definitions.Crd;
import io.kubeloop.apiserver.customresources.objects.Defaulting;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects.MalformedObjectException;
import io.kubeloop.apiserver.customresources.objects.Pruning;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * The schemas of all versions of a definition (upstream: {@code unstructuredSchemaCoercer}). Immutable; thread-safe.
 */
final class VersionSchemas {

    private final Map<String, SchemaProps> schemas;

    private VersionSchemas(Map<String, SchemaProps> schemas) {
        this.schemas = Map.copyOf(schemas);
    }

    static VersionSchemas of(Crd definition) {
        Map<String, SchemaProps> schemas = new HashMap<>();
        for (Crd.Version version : definition.versions()) {
            SchemaProps schema = version.schema();
            if (schema != null) {
                schemas.put(definition.group() + "/" + version.name(), schema);
            }
        }
        return new VersionSchemas(schemas);
    }

    /** Returns whether the definition has a version with this {@code apiVersion}. */
    boolean has(String apiVersion) {
        return schemas.containsKey(apiVersion);
    }

    /** Returns an object without the fields that the schema of its version does not have. */
    JsonObject pruned(JsonObject object) {
        SchemaProps schema = schemas.get(object.string("apiVersion"));
        return schema == null ? object : pruned(object, schema).with("metadata", object.object("metadata"));
    }

    /** Returns an object without the fields that the schema of its version does not have, and with its defaults. */
    JsonObject completed(JsonObject object) {
        SchemaProps schema = schemas.get(object.string("apiVersion"));
        return schema == null
                ? object
                : Defaulting.apply(pruned(object, schema), schema).with("metadata", object.object("metadata"));
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

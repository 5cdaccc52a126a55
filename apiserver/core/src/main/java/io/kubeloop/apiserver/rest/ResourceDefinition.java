/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.schema.StructSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the server needs to serve a resource in one version. Immutable.
 *
 * @param resource the resource as discovery lists it
 * @param strategy the behavior that is specific to its kind. It receives objects in their stored form
 * @param schema the type of its objects in the served version
 * @param decoder decodes its objects in the served version
 * @param storage the form in which its objects are stored
 * @param columns the columns of its tables
 * @param custom the description of a custom resource in OpenAPI documents; null for a built-in resource
 */
public record ResourceDefinition(
        ServedResource resource,
        RestStrategy strategy,
        StructSchema schema,
        ObjectDecoder decoder,
        StorageForm storage,
        List<Column> columns,
        @Nullable CustomSchema custom) {

    /** Creates the definition of a resource without a description of its own in OpenAPI documents. */
    public ResourceDefinition(
            ServedResource resource,
            RestStrategy strategy,
            StructSchema schema,
            ObjectDecoder decoder,
            StorageForm storage,
            List<Column> columns) {
        this(resource, strategy, schema, decoder, storage, columns, null);
    }

    /** Creates the definition of a resource whose objects are decoded by their schema. */
    public ResourceDefinition(
            ServedResource resource,
            RestStrategy strategy,
            StructSchema schema,
            StorageForm storage,
            List<Column> columns) {
        this(resource, strategy, schema, json -> TypedJson.decode(schema, json), storage, columns);
    }

    /** Returns the definition of a custom resource with its description in OpenAPI documents. */
    public ResourceDefinition describedBy(CustomSchema description) {
        return new ResourceDefinition(resource, strategy, schema, decoder, storage, columns, description);
    }

    /** Copies the columns. */
    public ResourceDefinition {
        columns = List.copyOf(columns);
    }
}

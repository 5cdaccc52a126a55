package io.kubeloop.apiserver.machinery;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.typed.TypedJson;
import java.util.List;

/**
 * Everything that the server needs to serve a resource in one version. Immutable.
 *
 * @param resource the resource as discovery lists it
 * @param strategy the behavior that is specific to its kind. It receives objects in their stored form
 * @param schema the type of its objects in the served version
 * @param decoder decodes its objects in the served version
 * @param storage the form in which its objects are stored
 * @param columns the columns of its tables
 */
public record ResourceDefinition(
        ServedResource resource,
        RestStrategy strategy,
        StructSchema schema,
        ObjectDecoder decoder,
        StorageForm storage,
        List<Column> columns) {

    /** Creates the definition of a resource whose objects are decoded by their schema. */
    public ResourceDefinition(
            ServedResource resource,
            RestStrategy strategy,
            StructSchema schema,
            StorageForm storage,
            List<Column> columns) {
        this(resource, strategy, schema, json -> TypedJson.decode(schema, json), storage, columns);
    }

    /** Copies the columns. */
    public ResourceDefinition {
        columns = List.copyOf(columns);
    }
}

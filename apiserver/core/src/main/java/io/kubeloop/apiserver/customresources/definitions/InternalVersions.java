/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.structural.InternalSchemaText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a definition as upstream's error messages show them: with Go's field names. Static functions only.
 */
final class InternalVersions {

    private InternalVersions() {}

    static String text(List<Version> versions) {
        return JsonArray.of(versions.stream().map(InternalVersions::tree).toList())
                .toString();
    }

    private static JsonObject tree(Version version) {
        JsonObject object = version.object();
        return JsonObject.builder()
                .put("Name", version.name())
                .put("Served", version.isServed())
                .put("Storage", version.isStorage())
                .put("Deprecated", version.isDeprecated())
                .put("DeprecationWarning", orNull(object.get("deprecationWarning")))
                .put("Schema", schema(version))
                .put("Subresources", subresources(object))
                .put("AdditionalPrinterColumns", columns(object))
                .put("SelectableFields", selectableFields(object))
                .build();
    }

    private static JsonValue orNull(@Nullable JsonValue value) {
        return value instanceof JsonString ? value : JsonNull.NULL;
    }

    private static JsonValue schema(Version version) {
        if (!version.object().has("schema")) {
            return JsonNull.NULL;
        }
        SchemaProps schema = version.schema();
        return JsonObject.of(
                "OpenAPIV3Schema", schema == null ? JsonNull.NULL : JsonObject.parse(InternalSchemaText.of(schema)));
    }

    private static JsonValue subresources(JsonObject version) {
        if (!version.has("subresources")) {
            return JsonNull.NULL;
        }
        JsonObject subresources = version.object("subresources");
        JsonObject scale = subresources.object("scale");
        JsonValue scaleTree = subresources.has("scale")
                ? JsonObject.builder()
                        .put("SpecReplicasPath", scale.string("specReplicasPath"))
                        .put("StatusReplicasPath", scale.string("statusReplicasPath"))
                        .put("LabelSelectorPath", orNull(scale.get("labelSelectorPath")))
                        .build()
                : JsonNull.NULL;
        JsonValue status = subresources.has("status") ? JsonObject.EMPTY : JsonNull.NULL;
        return JsonObject.builder()
                .put("Status", status)
                .put("Scale", scaleTree)
                .build();
    }

    private static JsonValue columns(JsonObject version) {
        JsonArray columns = version.array("additionalPrinterColumns");
        return columns.isEmpty()
                ? JsonNull.NULL
                : JsonArray.of(columns.objects().map(InternalVersions::column).toList());
    }

    private static JsonObject column(JsonObject column) {
        Long priority = column.number("priority");
        return JsonObject.builder()
                .put("Name", column.string("name"))
                .put("Type", column.string("type"))
                .put("Format", column.string("format"))
                .put("Description", column.string("description"))
                .put("Priority", JsonNumber.of(priority == null ? 0 : priority))
                .put("JSONPath", column.string("jsonPath"))
                .build();
    }

    private static JsonValue selectableFields(JsonObject version) {
        JsonArray fields = version.array("selectableFields");
        return fields.isEmpty()
                ? JsonNull.NULL
                : JsonArray.of(fields.objects()
                        .map(field -> JsonObject.EMPTY.with("JSONPath", field.string("jsonPath")))
                        .toList());
    }
}

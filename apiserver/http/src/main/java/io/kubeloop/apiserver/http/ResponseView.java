/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.negotiation.ResponseFormat;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat.Shape;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.table.Tables;
import io.kubeloop.apiserver.table.Tables.IncludeObject;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import java.util.Set;

/**
 * Converts objects into the representation that a request has asked for (upstream: {@code
 * apiserver/pkg/endpoints/handlers/response.go}). Immutable.
 *
 * @param tables creates tables
 * @param format the requested format
 * @param include the part of the object that each table row contains
 * @param hidden the annotations that tables and metadata leave out
 */
record ResponseView(Tables tables, ResponseFormat format, IncludeObject include, Set<String> hidden) {

    /**
     * Returns the representation of an object or a list. A {@code Status} is returned unchanged.
     *
     * @throws StatusException 406 if the request accepts the metadata of one object and the response is a list, or the
     *     reverse
     */
    JsonObject of(JsonObject answer) {
        if (answer.string("kind").equals("Status")) {
            return answer;
        }
        boolean isList = answer.string("kind").endsWith("List") && answer.has("items");
        return switch (format.shape()) {
            case OBJECT -> answer;
            case TABLE -> withoutHiddenIn(tables.of(answer, format.version(), include));
            case METADATA -> {
                require(!isList, "PartialObjectMetadata, but the requested object is a list", answer);
                yield metadata(answer);
            }
            case METADATA_LIST -> {
                require(isList, "PartialObjectMetadataList, but the requested object is not a list", answer);
                yield metadataList(answer);
            }
        };
    }

    private static void require(boolean holds, String problem, JsonObject answer) {
        if (!holds) {
            throw StatusException.of(406, "NotAcceptable", "you requested " + problem + " (" + goType(answer) + ")");
        }
    }

    /** Returns the name of the type that upstream's message contains, such as {@code *apps.DeploymentList}. */
    private static String goType(JsonObject answer) {
        String apiVersion = answer.string("apiVersion");
        String kind = answer.string("kind");
        String item = kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
        if (TypeCatalog.kubernetes().type(apiVersion, item) == null) {
            return answer.has("items") ? "*unstructured.UnstructuredList" : "*unstructured.Unstructured";
        }
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash).split("\\.", 2)[0];
        return "*" + (group.isEmpty() || group.equals("events") ? "core" : group) + "." + answer.string("kind");
    }

    private JsonObject metadata(JsonObject object) {
        return withoutHidden(Tables.metadataOf(object, format.version()));
    }

    private JsonObject withoutHidden(JsonObject partial) {
        JsonObject annotations = partial.object("metadata", "annotations");
        JsonObject kept = annotations;
        for (String annotation : hidden) {
            kept = kept.without(annotation);
        }
        if (kept.equals(annotations)) {
            return partial;
        }
        JsonObject metadata = partial.object("metadata");
        return partial.with(
                "metadata", kept.isEmpty() ? metadata.without("annotations") : metadata.with("annotations", kept));
    }

    private JsonObject withoutHiddenIn(JsonObject table) {
        return hidden.isEmpty() || include != IncludeObject.METADATA
                ? table
                : table.with(
                        "rows",
                        JsonArray.of(table.array("rows")
                                .objects()
                                .map(row -> row.with("object", withoutHidden(row.object("object"))))
                                .toList()));
    }

    private JsonObject metadataList(JsonObject list) {
        JsonArray items =
                JsonArray.of(list.array("items").objects().map(this::metadata).toList());
        return JsonObject.builder()
                .put("kind", "PartialObjectMetadataList")
                .put("apiVersion", "meta.k8s.io/" + format.version())
                .put("metadata", Tables.listMetadata(list))
                .put("items", items.isEmpty() ? JsonNull.NULL : items) // Go's empty slice is nil
                .build();
    }

    /**
     * Returns the representation of a watch event. An error event is returned unchanged.
     *
     * @param first whether only bookmarks preceded the event; later events omit the column definitions
     */
    JsonObject ofEvent(String type, JsonObject object, boolean first) {
        JsonObject event = JsonObject.EMPTY.with("type", type).with("object", object);
        if (format.shape() == Shape.TABLE) {
            JsonObject shown = tables.ofEvent(event, format.version(), include, first);
            return type.equals(WatchFrame.ERROR)
                    ? shown
                    : shown.with("object", withoutHiddenIn(shown.object("object")));
        }
        boolean isWhole = format.shape() == Shape.OBJECT || type.equals(WatchFrame.ERROR);
        return isWhole ? event : event.with("object", metadata(object));
    }
}

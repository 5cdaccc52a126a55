package io.kubeloop.transport.memory.http;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.http.ResponseFormat.Shape;
import io.kubeloop.transport.memory.http.table.Tables;
import io.kubeloop.transport.memory.http.table.Tables.IncludeObject;

/**
 * What one request is shown of objects, as it has asked (upstream: {@code apiserver/pkg/endpoints/handlers/response.go}). Immutable.
 *
 * @param tables makes tables
 * @param format what was asked for
 * @param include what of its object each row of a table carries
 */
record ResponseView(Tables tables, ResponseFormat format, IncludeObject include) {

    /**
     * Returns what is shown of an object or list. A {@code Status} stays what it is.
     *
     * @throws HttpApiFailure 406 if metadata of one object was asked for and there is a list, or the other way round
     */
    JsonObject of(JsonObject answer) {
        if (answer.string("kind").equals("Status")) {
            return answer;
        }
        boolean isList = answer.string("kind").endsWith("List") && answer.has("items");
        return switch (format.shape()) {
            case OBJECT -> answer;
            case TABLE -> tables.of(answer, format.version(), include);
            case METADATA -> {
                require(!isList, "PartialObjectMetadata", "a list");
                yield metadata(answer);
            }
            case METADATA_LIST -> {
                require(isList, "PartialObjectMetadataList", "no list");
                yield metadataList(answer);
            }
        };
    }

    private static void require(boolean holds, String asked, String what) {
        if (!holds) {
            throw HttpApiFailure.notAcceptable(asked, "others, as the answer is " + what);
        }
    }

    private JsonObject metadata(JsonObject object) {
        return Tables.metadataOf(object, format.version());
    }

    private JsonObject metadataList(JsonObject list) {
        return JsonObject.builder()
                .put("kind", "PartialObjectMetadataList")
                .put("apiVersion", "meta.k8s.io/" + format.version())
                .put("metadata", list.object("metadata"))
                .put(
                        "items",
                        JsonArray.of(list.array("items")
                                .objects()
                                .map(this::metadata)
                                .toList()))
                .build();
    }

    /**
     * Returns what is shown of a watch event; an error stays what it is.
     *
     * @param first whether only bookmarks came before: column definitions are not repeated
     */
    JsonObject ofEvent(JsonObject event, boolean first) {
        if (format.shape() == Shape.TABLE) {
            return tables.ofEvent(event, format.version(), include, first);
        }
        boolean isWhole = format.shape() == Shape.OBJECT || event.string("type").equals("ERROR");
        return isWhole ? event : event.with("object", metadata(event.object("object")));
    }
}

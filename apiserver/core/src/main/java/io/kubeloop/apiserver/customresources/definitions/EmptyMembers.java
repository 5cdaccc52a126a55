/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The empty lists and maps of schemas. They do not survive the encoding of an object, so that the storage and the
 * answers lack them. But upstream validates the decoded object, in which an empty member differs from an absent one.
 * Static functions only.
 */
final class EmptyMembers {

    private static final String SCHEMA = "openAPIV3Schema";

    private EmptyMembers() {}

    /** Returns a definition with the empty members that the schemas in the document of the client have. */
    static JsonObject restored(JsonObject definition, JsonObject sent) {
        List<JsonObject> versions =
                definition.array("spec", "versions").objects().toList();
        List<JsonObject> sentVersions = sent.array("spec", "versions").objects().toList();
        if (versions.size() != sentVersions.size()) {
            return definition;
        }
        List<JsonObject> restored = new ArrayList<>();
        for (int i = 0; i < versions.size(); i++) {
            JsonObject version = versions.get(i);
            JsonValue schema = version.get("schema", SCHEMA);
            JsonValue sentSchema = sentVersions.get(i).get("schema", SCHEMA);
            restored.add(
                    schema == null || sentSchema == null
                            ? version
                            : version.with(List.of("schema", SCHEMA), restored(schema, sentSchema)));
        }
        return definition.with(List.of("spec", "versions"), JsonArray.of(restored));
    }

    private static JsonValue restored(JsonValue value, JsonValue sent) {
        if (value instanceof JsonObject object && sent instanceof JsonObject source) {
            return members(object, source);
        }
        if (value instanceof JsonArray array && sent instanceof JsonArray source && array.size() == source.size()) {
            List<JsonValue> elements = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                elements.add(restored(array.elements().get(i), source.elements().get(i)));
            }
            return JsonArray.of(elements);
        }
        return value;
    }

    private static JsonObject members(JsonObject object, JsonObject sent) {
        JsonObject result = object;
        for (Map.Entry<String, JsonValue> member : sent.members().entrySet()) {
            String name = member.getKey();
            JsonValue value = object.get(name);
            if (value != null) {
                result = result.with(name, restored(value, member.getValue()));
            } else if (isEmpty(member.getValue())) {
                result = result.with(name, member.getValue());
            }
        }
        return result;
    }

    private static boolean isEmpty(JsonValue value) {
        return value.equals(JsonObject.EMPTY) || value.equals(JsonArray.EMPTY);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.json.patch.JsonPatch;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The JSON patch (RFC 6902) for a change of a record. It leaves members of the document alone that the record has no
 * component for. Static functions only.
 */
final class RecordPatch {

    private RecordPatch() {}

    /**
     * Returns the operations.
     *
     * @param document the document as it was sent
     * @param before the record of it, as a document
     * @param after the changed record, as a document
     */
    static JsonArray between(JsonObject document, JsonObject before, JsonObject after) {
        List<JsonObject> operations = new ArrayList<>();
        collect("", document, before, after, operations);
        return JsonArray.of(operations);
    }

    private static void collect(
            String path, JsonObject document, JsonObject before, JsonObject after, List<JsonObject> operations) {
        for (Map.Entry<String, JsonValue> member : after.members().entrySet()) {
            String at = path + "/" + JsonPatch.step(member.getKey());
            JsonValue old = before.get(member.getKey());
            JsonValue wanted = member.getValue();
            if (wanted.equals(old)) {
                continue;
            }
            if (wanted instanceof JsonObject inner
                    && old instanceof JsonObject oldInner
                    && document.get(member.getKey()) instanceof JsonObject sent) {
                collect(at, sent, oldInner, inner, operations);
            } else {
                // The operation also replaces a member.
                operations.add(operation("add", at).with("value", wanted));
            }
        }
        for (String name : before.members().keySet()) {
            if (!after.has(name) && document.has(name)) {
                operations.add(operation("remove", path + "/" + JsonPatch.step(name)));
            }
        }
    }

    private static JsonObject operation(String name, String path) {
        return JsonObject.EMPTY.with("op", name).with("path", path);
    }
}

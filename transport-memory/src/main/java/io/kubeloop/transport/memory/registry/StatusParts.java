package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.Members;

/** Keeps an object and its status apart: who writes the one does not change the other. */
final class StatusParts {

    private StatusParts() {}

    static JsonObject keepOther(JsonObject object, JsonObject old, RestStrategy.Part part) {
        if (part == RestStrategy.Part.STATUS) {
            // Metadata is the updater's business; of the rest only the status is the client's.
            JsonObject result = Members.take(old, "status", object);
            return result.with("metadata", object.object("metadata"));
        }
        return Members.take(object, "status", old);
    }
}

package io.kubeloop.transport.memory.machinery;

import io.kubeloop.json.tree.JsonObject;

/** Keeps an object and its status apart: who writes the one does not change the other. */
public final class StatusParts {

    private StatusParts() {}

    /** Returns what becomes of an object when a client writes this part of it. */
    public static JsonObject keepOther(JsonObject object, JsonObject old, RestStrategy.Part part) {
        if (part == RestStrategy.Part.STATUS) {
            // Metadata is the updater's business; of the rest only the status is the client's.
            JsonObject result = Members.take(old, "status", object);
            return result.with("metadata", object.object("metadata"));
        }
        return Members.take(object, "status", old);
    }
}

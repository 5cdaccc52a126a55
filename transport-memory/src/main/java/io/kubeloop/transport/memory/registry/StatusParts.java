package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;

/** Keeps an object and its status apart: who writes the one does not change the other. */
final class StatusParts {

    private StatusParts() {}

    static JsonObject keepOther(JsonObject object, JsonObject old, RestStrategy.Part part) {
        if (part == RestStrategy.Part.STATUS) {
            // Metadata is the updater's business; of the rest only the status is the client's.
            JsonObject result = set(old, "status", object);
            return result.with("metadata", object.object("metadata"));
        }
        return set(object, "status", old);
    }

    /** Returns the object with the other one's member: its value, or its absence. */
    static JsonObject set(JsonObject object, String member, JsonObject from) {
        JsonValue value = from.get(member);
        return value == null ? object.without(member) : object.with(member, value);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Separates an object from its status: a write of the one does not change the other. */
public final class StatusParts {

    /** The fields that a write of a status leaves alone if its kind says so. */
    private static final List<String> OF_CLIENTS = List.of(
            "deletionTimestamp", "generation", "selfLink", "labels", "annotations", "finalizers", "ownerReferences");

    private StatusParts() {}

    /** Returns the result of a client's write to this part of an object. */
    public static JsonObject keepOther(JsonObject object, JsonObject old, RestStrategy.Part part) {
        if (part == RestStrategy.Part.STATUS) {
            // ObjectUpdater merges the metadata; from all other fields a status update takes only the status.
            JsonObject result = Members.take(old, "status", object);
            return result.with("metadata", object.object("metadata"));
        }
        if (part == RestStrategy.Part.APPROVAL) {
            JsonObject status = Members.take(old.object("status"), "conditions", object.object("status"));
            return old.with("status", status).with("metadata", object.object("metadata"));
        }
        return Members.take(object, "status", old);
    }

    /** Returns the object with the metadata of the old one, except its version, its identity and its managed fields. */
    public static JsonObject keepMetadata(JsonObject object, JsonObject old) {
        JsonObject metadata = object.object("metadata");
        for (String field : OF_CLIENTS) {
            metadata = Members.take(metadata, field, old.object("metadata"));
        }
        return object.with("metadata", metadata);
    }
}

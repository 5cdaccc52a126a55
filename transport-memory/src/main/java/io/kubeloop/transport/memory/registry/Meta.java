package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes the metadata of an object that is a tree. */
final class Meta {

    /** Waits until the dependents that block the deletion are gone. */
    static final String FOREGROUND_FINALIZER = "foregroundDeletion";
    /** Waits until the dependents have been released. */
    static final String ORPHAN_FINALIZER = "orphan";

    private Meta() {}

    static JsonObject of(JsonObject object) {
        return object.object("metadata");
    }

    static String text(JsonObject object, String field) {
        return object.string("metadata", field);
    }

    static String name(JsonObject object) {
        return text(object, "name");
    }

    static String namespace(JsonObject object) {
        return text(object, "namespace");
    }

    static String uid(JsonObject object) {
        return text(object, "uid");
    }

    static boolean isDeleting(JsonObject object) {
        return !text(object, "deletionTimestamp").isEmpty();
    }

    static @Nullable Long gracePeriod(JsonObject object) {
        return object.number("metadata", "deletionGracePeriodSeconds");
    }

    static long generation(JsonObject object) {
        Long generation = object.number("metadata", "generation");
        return generation == null ? 0 : generation;
    }

    static List<String> finalizers(JsonObject object) {
        return object.array("metadata", "finalizers").strings().toList();
    }

    static JsonObject withFinalizers(JsonObject object, List<String> finalizers) {
        return finalizers.isEmpty()
                ? without(object, "finalizers")
                : with(object, "finalizers", JsonArray.ofStrings(finalizers));
    }

    static JsonObject with(JsonObject object, String field, JsonValue value) {
        return object.with("metadata", of(object).with(field, value));
    }

    static JsonObject with(JsonObject object, String field, String value) {
        return object.with("metadata", of(object).with(field, value));
    }

    static JsonObject with(JsonObject object, String field, long value) {
        return object.with("metadata", of(object).with(field, value));
    }

    static JsonObject without(JsonObject object, String field) {
        return object.has("metadata") ? object.with("metadata", of(object).without(field)) : object;
    }

    /** Returns the object with one change of its desired state counted, if they are counted at all. */
    static JsonObject nextGeneration(JsonObject object) {
        long generation = generation(object);
        return generation == 0 ? object : with(object, "generation", generation + 1);
    }
}

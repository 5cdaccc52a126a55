/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.objectmeta;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes the metadata of an object tree. */
public final class Meta {

    /** The finalizer that keeps an owner until the dependents that block its deletion are gone. */
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";
    /** The finalizer that keeps an owner until its dependents have been orphaned. */
    public static final String ORPHAN_FINALIZER = "orphan";
    /** The finalizer in a namespace's {@code spec} that keeps the namespace until its content is deleted. */
    public static final String CONTENT_FINALIZER = "kubernetes";

    private Meta() {}

    /** Returns the metadata. */
    public static JsonObject of(JsonObject object) {
        return object.object("metadata");
    }

    /** Returns a string of the metadata; empty if it is absent. */
    public static String text(JsonObject object, String field) {
        return object.string("metadata", field);
    }

    /** Returns the name. */
    public static String name(JsonObject object) {
        return text(object, "name");
    }

    /** Returns the namespace; empty if there is none. */
    public static String namespace(JsonObject object) {
        return text(object, "namespace");
    }

    /** Returns the UID. */
    public static String uid(JsonObject object) {
        return text(object, "uid");
    }

    /** Returns whether the deletion of the object has begun. */
    public static boolean isDeleting(JsonObject object) {
        return !text(object, "deletionTimestamp").isEmpty();
    }

    /** Returns the deletion grace period in seconds; null if it is absent. */
    public static @Nullable Long gracePeriod(JsonObject object) {
        return object.number("metadata", "deletionGracePeriodSeconds");
    }

    public static long generation(JsonObject object) {
        Long generation = object.number("metadata", "generation");
        return generation == null ? 0 : generation;
    }

    /** Returns the finalizers. */
    public static List<String> finalizers(JsonObject object) {
        return object.array("metadata", "finalizers").strings().toList();
    }

    /** Returns the object with these finalizers; without finalizers the field is removed. */
    public static JsonObject withFinalizers(JsonObject object, List<String> finalizers) {
        return finalizers.isEmpty()
                ? without(object, "finalizers")
                : with(object, "finalizers", JsonArray.ofStrings(finalizers));
    }

    /** Returns the object with a value in its metadata. */
    public static JsonObject with(JsonObject object, String field, JsonValue value) {
        return object.with("metadata", of(object).with(field, value));
    }

    /** Returns the object with a string in its metadata. */
    public static JsonObject with(JsonObject object, String field, String value) {
        return object.with("metadata", of(object).with(field, value));
    }

    /** Returns the object with a number in its metadata. */
    public static JsonObject with(JsonObject object, String field, long value) {
        return object.with("metadata", of(object).with(field, value));
    }

    /** Returns the object without a field of its metadata. */
    public static JsonObject without(JsonObject object, String field) {
        return object.has("metadata") ? object.with("metadata", of(object).without(field)) : object;
    }

    /** Returns the object with {@code metadata.generation} incremented; unchanged if its kind has no generation. */
    public static JsonObject nextGeneration(JsonObject object) {
        long generation = generation(object);
        return generation == 0 ? object : with(object, "generation", generation + 1);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.Time;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A StorageVersionMigration (upstream: {@code storagemigration/v1.StorageVersionMigration}). Immutable.
 *
 * @param object the object as read
 */
record Migration(GenericObject object) {

    static final String RUNNING = "Running";
    static final String SUCCEEDED = "Succeeded";
    static final String FAILED = "Failed";

    static final String FAILED_REASON = "StorageVersionMigrationFailed";
    static final String RUNNING_REASON = "MigrationRunning";

    /** The time for which a resource may be missing in the discovery documents: they are read every 30 s. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A resource without its version. */
    record Resource(String group, String plural) {

        /** Returns the name that a definition of this resource has. */
        String definition() {
            return plural + "." + group;
        }
    }

    String name() {
        return object.metadata().name();
    }

    Resource resource() {
        return new Resource(object.string("spec", "resource", "group"), object.string("spec", "resource", "resource"));
    }

    /** Returns the version up to which objects are old; empty before it is known. */
    String resourceVersion() {
        return object.string("status", "resourceVersion");
    }

    /** Returns whether the migration is so new that its resource may appear soon. */
    boolean isNew(Instant now) {
        Time creation = object.metadata().creationTimestamp();
        return creation == null || now.isBefore(creation.instant().plus(PATIENCE));
    }

    boolean isRunning() {
        return isTrue(RUNNING);
    }

    boolean hasEnded() {
        return isTrue(SUCCEEDED) || isTrue(FAILED);
    }

    boolean isTrue(String type) {
        return conditions().stream()
                .anyMatch(condition -> condition.string("type").equals(type)
                        && condition.string("status").equals("True"));
    }

    boolean has(String type) {
        return conditions().stream()
                .anyMatch(condition -> condition.string("type").equals(type));
    }

    private List<JsonObject> conditions() {
        return JsonObject.of(object.unknownFields())
                .array("status", "conditions")
                .objects()
                .toList();
    }

    Migration withResourceVersion(String version) {
        return new Migration(object.with(List.of("status", "resourceVersion"), version));
    }

    /** Returns a copy with a condition that is true. */
    Migration with(String type, String reason, String message, Instant now) {
        return with(condition(type, "True", reason, message, now));
    }

    /** Returns a copy in which the migration runs no more. */
    Migration finished(Instant now) {
        return with(condition(RUNNING, "False", "MigrationCompleted", "Migration completed", now)
                .with("observedGeneration", JsonNumber.of(object.metadata().generation())));
    }

    private static JsonObject condition(String type, String status, String reason, String message, Instant now) {
        return JsonObject.EMPTY
                .with("type", type)
                .with("status", status)
                .with("lastTransitionTime", new Time(now).toString())
                .with("reason", reason)
                .with("message", message);
    }

    /** The time of the last transition stays if the status does. */
    private Migration with(JsonObject condition) {
        List<JsonObject> all = new ArrayList<>(conditions());
        for (int i = 0; i < all.size(); i++) {
            JsonObject old = all.get(i);
            if (old.string("type").equals(condition.string("type"))) {
                boolean isSame = old.string("status").equals(condition.string("status"));
                all.set(i, isSame ? condition.with("lastTransitionTime", old.string("lastTransitionTime")) : condition);
                return withConditions(all);
            }
        }
        all.add(condition);
        return withConditions(all);
    }

    private Migration withConditions(List<JsonObject> conditions) {
        JsonObject content = JsonObject.of(object.unknownFields());
        JsonObject status = content.object("status").with("conditions", JsonArray.of(conditions));
        return new Migration(new GenericObject(
                object.apiVersion(),
                object.kind(),
                object.metadata(),
                content.with("status", status).toUnknownFields()));
    }
}

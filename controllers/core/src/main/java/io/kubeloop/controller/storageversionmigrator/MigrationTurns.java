/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets one migration of a resource run at a time, the oldest first, and marks the definition of a custom resource while
 * its objects are migrated (upstream: {@code MigrationRunnerController}). After a success, a definition that has not
 * changed meanwhile has its current version as the only stored one.
 *
 * <p>Thread-safe for different resources. {@link #sync} blocks for its requests.
 *
 * @param migrations the cached migrations
 * @param client writes the status of migrations
 * @param definitions reads and writes definitions of custom resources
 * @param clock the time of day
 */
record MigrationTurns(
        Lister<GenericObject> migrations,
        ResourceClient<GenericObject> client,
        ResourceClient<GenericObject> definitions,
        Clock clock) {

    static final ResourceType<GenericObject> DEFINITIONS = ResourceTypes.generic(
            "apiextensions.k8s.io",
            "v1",
            "customresourcedefinitions",
            "CustomResourceDefinition",
            ResourceType.Scope.CLUSTER);

    private static final String MANAGER = "migration-runner-controller";
    private static final int ATTEMPTS = 5;

    /** Ends what has ended, and lets the next one begin. */
    void sync(Migration.Resource resource) {
        List<Migration> all = migrations.list().stream()
                .map(Migration::new)
                .filter(migration -> migration.resource().equals(resource))
                .sorted(Comparator.comparing((Migration migration) -> creation(migration.object()))
                        .thenComparing(Migration::name))
                .toList();
        for (Migration migration : all) {
            if (migration.isRunning() && migration.hasEnded()) {
                end(migration);
            }
        }
        if (all.stream().noneMatch(migration -> migration.isRunning() && !migration.hasEnded())) {
            all.stream()
                    .filter(migration -> !migration.isRunning() && !migration.hasEnded())
                    .findFirst()
                    .ifPresent(this::begin);
        }
    }

    private static String creation(GenericObject object) {
        Time creation = object.metadata().creationTimestamp();
        return creation == null ? "" : creation.toString();
    }

    private void begin(Migration migration) {
        mark(
                migration,
                definition ->
                        new Mark("True", "MigrationRunning", "Migration " + migration.name() + " is running", ""));
        if (!migration.has(Migration.RUNNING)) {
            client.updateStatus(migration
                    .with(
                            Migration.RUNNING,
                            Migration.RUNNING_REASON,
                            ObjectMigration.message(0, 0, ""),
                            clock.instant())
                    .object());
        }
    }

    private void end(Migration migration) {
        boolean isSuccess = migration.isTrue(Migration.SUCCEEDED);
        mark(migration, definition -> {
            boolean isUnchanged = isUnchanged(definition);
            String message = !isSuccess
                    ? "The migration has failed"
                    : "The migration has succeeded"
                            + (isUnchanged
                                    ? " and the stored versions have been updated"
                                    : " but the stored versions have not been updated due to a generation mismatch");
            return new Mark(
                    "False",
                    isSuccess ? "MigrationSucceeded" : "MigrationFailed",
                    message,
                    isUnchanged ? storageVersion(definition) : "");
        });
        client.updateStatus(migration.finished(clock.instant()).object());
    }

    /** Returns whether the definition is still the one for which the migration began. */
    private static boolean isUnchanged(GenericObject definition) {
        return JsonObject.of(definition.unknownFields())
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals("StorageMigrating"))
                .anyMatch(condition -> {
                    Long observed = condition.number("observedGeneration");
                    return observed != null && observed == definition.metadata().generation();
                });
    }

    private static String storageVersion(GenericObject definition) {
        return JsonObject.of(definition.unknownFields())
                .array("spec", "versions")
                .objects()
                .filter(version -> version.bool("storage"))
                .map(version -> version.string("name"))
                .findFirst()
                .orElse("");
    }

    /**
     * The condition of a definition.
     *
     * @param stored the only stored version; empty to leave the versions as they are
     */
    private record Mark(String status, String reason, String message, String stored) {}

    /** Writes the condition for the definition as it was read, so its generation is the right one. */
    private void mark(Migration migration, Function<GenericObject, Mark> mark) {
        ObjectName name = new ObjectName("", migration.resource().definition());
        for (int attempt = 1; ; attempt++) {
            GenericObject definition = find(name);
            if (definition == null) {
                return;
            }
            try {
                definitions.patch(
                        name,
                        Patch.apply(applied(definition, mark.apply(definition)).toString(), MANAGER, true),
                        "status");
                return;
            } catch (ApiException e) {
                if (!e.isConflict() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private @Nullable GenericObject find(ObjectName name) {
        try {
            return definitions.get(name);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null; // no custom resource
            }
            throw e;
        }
    }

    private JsonObject applied(GenericObject definition, Mark mark) {
        JsonObject condition = JsonObject.EMPTY
                .with("type", "StorageMigrating")
                .with("status", mark.status())
                .with("lastTransitionTime", new Time(clock.instant()).toString())
                .with("reason", mark.reason())
                .with("message", mark.message())
                .with("observedGeneration", JsonNumber.of(definition.metadata().generation()));
        JsonObject status = JsonObject.of("conditions", JsonArray.of(List.of(condition)));
        if (!mark.stored().isEmpty()) {
            status = status.with(
                    "storedVersions", JsonArray.of(new ArrayList<>(List.of(new JsonString(mark.stored())))));
        }
        return JsonObject.EMPTY
                .with("apiVersion", DEFINITIONS.apiVersion())
                .with("kind", DEFINITIONS.kind())
                .with(
                        "metadata",
                        JsonObject.EMPTY
                                .with("name", definition.metadata().name())
                                .with("resourceVersion", definition.metadata().resourceVersion()))
                .with("status", status);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes each old object of a resource without a change, which the server stores in the current version (upstream:
 * {@code SVMController}). An object that somebody else changes or deletes meanwhile is migrated already.
 *
 * <p>Thread-safe for different migrations. {@link #sync} blocks for two requests per page of 500 objects and one per
 * old object.
 *
 * @param migrations the cached migrations
 * @param client writes the status of migrations
 * @param resources finds resources
 * @param objects lists and patches objects
 * @param clock the time of day
 */
record ObjectMigration(
        Lister<GenericObject> migrations,
        ResourceClient<GenericObject> client,
        MigratedResources resources,
        KubeClient objects,
        Clock clock) {

    /** The field manager of the patches. */
    static final String NAME = "storage-version-migrator-controller";

    private static final String PREFIX = "migration encountered unhandled error: ";

    /** An object that is older than the migration. */
    private record Old(ObjectName name, String version) {}

    void sync(ObjectName name) {
        GenericObject object = migrations.get(name);
        if (object == null) {
            return;
        }
        Migration migration = new Migration(object);
        if (migration.hasEnded() || migration.resourceVersion().isEmpty()) {
            return;
        }
        ApiCatalog.Entry entry = resources.find(migration.resource());
        if (entry != null) {
            migrate(migration, entry.type());
        } else if (migration.isNew(clock.instant())) {
            throw new ControllerException("resource does not exist in rest mapper, requeuing to attempt again", null);
        } else {
            write(failed(migration, PREFIX + "unable to obtain GVR from discovery"));
        }
    }

    private void migrate(Migration migration, ResourceType<PartialObjectMetadata> type) {
        ResourceClient<PartialObjectMetadata> writer = objects.resource(type);
        List<Old> old = new ArrayList<>();
        int total = 0;
        for (PartialObjectMetadata each : writer.listAll("", ListOptions.NONE)) {
            total++;
            String version = each.metadata().resourceVersion();
            if (compare(version, migration.resourceVersion()) <= 0) {
                old.add(new Old(each.objectName(), version));
            }
        }
        int left = old.size();
        for (Old each : old) {
            try {
                writer.patch(each.name(), patch(type, each.version()));
            } catch (TransportException e) {
                throw transientError(migration, left, total, e);
            } catch (ApiException e) {
                if (e.code() == 429 || e.code() >= 500) {
                    throw transientError(migration, left, total, e);
                }
                if (!e.isConflict() && !e.isNotFound()) {
                    write(failed(
                            running(migration, left, total, ""),
                            left + "/" + total + " not yet migrated. " + PREFIX + Errors.text(e)));
                    return;
                }
            }
            left--;
        }
        write(running(migration, 0, total, "")
                .with(Migration.SUCCEEDED, "StorageVersionMigrationSucceeded", "Migration completed", clock.instant()));
    }

    /** The version in the patch makes a conflict of a change by somebody else. */
    private static Patch patch(ResourceType<?> type, String version) {
        JsonObject body = JsonObject.EMPTY
                .with("kind", type.kind())
                .with("apiVersion", type.apiVersion())
                .with("metadata", JsonObject.EMPTY.with("resourceVersion", version));
        return new Patch(Patch.Type.MERGE, body.toString().getBytes(StandardCharsets.UTF_8), NAME, false);
    }

    /** The next attempt lists again. The status shows the error meanwhile. */
    private RuntimeException transientError(Migration migration, int left, int total, RuntimeException error) {
        try {
            write(running(migration, left, total, Errors.text(error)));
        } catch (RuntimeException e) {
            error.addSuppressed(e);
        }
        return error;
    }

    private Migration running(Migration migration, int left, int total, String error) {
        return migration.with(
                Migration.RUNNING, Migration.RUNNING_REASON, message(left, total, error), clock.instant());
    }

    private Migration failed(Migration migration, String message) {
        return migration.with(Migration.FAILED, Migration.FAILED_REASON, message, clock.instant());
    }

    private void write(Migration changed) {
        client.updateStatus(changed.object());
    }

    /**
     * Returns the message of a running migration.
     *
     * @param left the objects that are not migrated yet
     * @param total all objects; 0 for none, or if the number is unknown
     * @param error the error after which the migration is tried again; empty for none
     */
    static String message(int left, int total, String error) {
        String progress = "";
        if (total > 0) {
            progress = left > 0
                    ? ", " + left + "/" + total + " objects not yet migrated"
                    : ", " + total + " objects verified migrated";
        }
        return "The migration is running" + progress + (error.isEmpty() ? "" : "; transient error: " + error);
    }

    /** Versions are decimal numbers without leading zeros. */
    private static int compare(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) : Integer.compare(one.length(), other.length());
    }
}

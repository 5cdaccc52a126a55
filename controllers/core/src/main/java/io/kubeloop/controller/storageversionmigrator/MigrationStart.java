/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.discovery.ApiCatalog;
import java.time.Clock;

/**
 * Notes in a running migration the resource version up to which objects are old (upstream: {@code
 * ResourceVersionController}): the one of a list that the server answers now.
 *
 * <p>Thread-safe. {@link #sync} blocks for its requests.
 *
 * @param migrations the cached migrations
 * @param client writes the status of migrations
 * @param resources finds resources
 * @param lists lists objects
 * @param clock the time of day
 */
record MigrationStart(
        Lister<GenericObject> migrations,
        ResourceClient<GenericObject> client,
        MigratedResources resources,
        KubeClient lists,
        Clock clock) {

    /** No namespace can have this name, so a list of it has no objects. */
    private static final String NO_NAMESPACE = "@fake:svm_ns!";

    void sync(ObjectName name) {
        GenericObject object = migrations.get(name);
        if (object == null) {
            return;
        }
        Migration migration = new Migration(object);
        if (!migration.isRunning()
                || migration.hasEnded()
                || !migration.resourceVersion().isEmpty()) {
            return;
        }
        ApiCatalog.Entry entry = resources.find(migration.resource());
        if (entry == null) {
            if (migration.isNew(clock.instant())) {
                throw new ControllerException(
                        "resource does not exist in our rest mapper, requeuing to attempt again", null);
            }
            fail(migration, "resource does not exist in discovery");
            return;
        }
        ResourceType<PartialObjectMetadata> type = entry.type();
        if (!entry.supports("update", "patch", "list")) {
            fail(
                    migration,
                    "resource \"" + type.apiVersion() + ", Resource=" + type.plural()
                            + "\" does not support discovery operations: [update patch list]");
            return;
        }
        String version = lists.resource(type)
                .list(
                        type.isNamespaced() ? NO_NAMESPACE : "",
                        ListOptionsBuilder.builder(ListOptions.NONE).limit(1).build())
                .metadata()
                .resourceVersion();
        client.updateStatus(migration.withResourceVersion(version).object());
    }

    private void fail(Migration migration, String message) {
        if (!migration.has(Migration.FAILED)) {
            client.updateStatus(migration
                    .with(Migration.FAILED, Migration.FAILED_REASON, message, clock.instant())
                    .object());
        }
    }
}

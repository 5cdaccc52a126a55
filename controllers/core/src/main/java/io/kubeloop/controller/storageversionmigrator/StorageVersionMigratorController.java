/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.discovery.ServedResources;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Migrates the stored objects of resources, as StorageVersionMigrations request it (upstream: {@code
 * storageversionmigrator}): each object that is older than the migration is written again without a change.
 *
 * <p>Promised: one migration of a resource runs at a time, and no object loses a change that another client makes
 * meanwhile.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class StorageVersionMigratorController implements CompositeController {

    private static final ResourceType<GenericObject> MIGRATIONS = ResourceTypes.generic(
            "storagemigration.k8s.io",
            "v1",
            "storageversionmigrations",
            "StorageVersionMigration",
            ResourceType.Scope.CLUSTER);

    private static final String NAME = ObjectMigration.NAME;
    private static final String VERSIONS = "resource-version-controller";
    private static final String TURNS = "migration-runner-controller";

    private final ControllerGroup loops;

    private StorageVersionMigratorController(ControllerContext context) {
        SharedInformer<GenericObject> migrations = context.informers().informer(MIGRATIONS);
        KubeClient client = context.clients().apply(NAME);
        ResourceClient<GenericObject> writer = client.resource(MIGRATIONS);
        MigratedResources resources = new MigratedResources(client.transport());
        Clock clock = context.clock();

        RateLimitingQueue<Migration.Resource> turnQueue =
                WorkQueues.rateLimiting(context.queues().apply(TURNS));
        var turns = new ControllerLoop<>(
                TURNS,
                turnQueue,
                new MigrationTurns(migrations.lister(), writer, client.resource(MigrationTurns.DEFINITIONS), clock)
                        ::sync,
                List.of(migrations.addHandler(ResourceEventHandler.<GenericObject>forObjects(
                        TURNS, migration -> turnQueue.add(new Migration(migration).resource())))),
                context.threads());
        RateLimitingQueue<ObjectName> versionQueue =
                WorkQueues.rateLimiting(context.queues().apply(VERSIONS));
        var versions = new ControllerLoop<>(
                VERSIONS,
                versionQueue,
                new MigrationStart(migrations.lister(), writer, resources, client, clock)::sync,
                List.of(migrations.addHandler(ResourceEventHandler.forKeys(VERSIONS, versionQueue::add))),
                context.threads());
        var objects = ControllerLoop.forKeys(
                NAME,
                context,
                new ObjectMigration(migrations.lister(), writer, resources, client, clock)::sync,
                migrations);
        loops = ControllerGroup.named(NAME).with(objects).with(versions, 1).with(turns, 1);
    }

    /**
     * Creates the controller ({@code storage-version-migrator-controller}), registered with its informers and not
     * started.
     */
    public static StorageVersionMigratorController of(ControllerContext context) {
        return new StorageVersionMigratorController(context);
    }

    /**
     * Creates the controller as {@link #of} does, if the server has its resource. Blocks for a request.
     *
     * @return null if the server is older than Kubernetes 1.37
     */
    public static @Nullable StorageVersionMigratorController ifServed(ControllerContext context) {
        return ServedResources.isServed(context.clients().apply(NAME).transport(), MIGRATIONS) ? of(context) : null;
    }

    /** Returns the loop that migrates objects, and two more with one worker each. */
    @Override
    public ControllerGroup loops() {
        return loops;
    }
}

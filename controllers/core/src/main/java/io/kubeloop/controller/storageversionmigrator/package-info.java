/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that writes all objects of a resource again, so the server stores them in the current version
 * (upstream: {@code pkg/controller/storageversionmigrator}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.storageversionmigrator.StorageVersionMigratorController}. Three loops
 * share the StorageVersionMigration objects, and each acts in another phase: {@code MigrationTurns} lets one
 * migration of a resource run at a time, {@code MigrationStart} notes up to which resource version objects are old,
 * and {@code ObjectMigration} writes them.
 *
 * <p>Threading: handlers run on the informer's thread, syncs on the workers of the loops. They share the queues,
 * which are thread-safe; all other types are immutable.
 */
@NullMarked
package io.kubeloop.controller.storageversionmigrator;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers of ReplicaSets and ReplicationControllers, which keep the wanted number of pods running.
 *
 * <p>Entry type: {@link io.kubeloop.controller.replicaset.ReplicaSetController}. In the order of an event: {@code
 * ReplicaSetHandlers} queues keys, {@code ReplicaSetSync} syncs one owner, {@code ReplicaManager} creates and deletes
 * pods, {@code ReplicaSetStatuses} computes the status, and {@code StatusWriter} writes it.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers; one worker at a time syncs a key. They
 * share the queue and {@code OwnerTracking}, which are thread-safe.
 */
@NullMarked
package io.kubeloop.controller.replicaset;

import org.jspecify.annotations.NullMarked;

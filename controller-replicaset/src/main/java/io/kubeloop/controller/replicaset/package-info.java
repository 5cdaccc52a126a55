/**
 * Keeps as many pods running as a ReplicaSet or ReplicationController asks for.
 *
 * <p>Entry type: {@link io.kubeloop.controller.replicaset.ReplicaSetController}. Read it in the order of an event:
 * {@code ReplicaSetHandlers} (who must be looked at), {@code ReplicaSetSync} (one look), {@code ReplicaManager} (pods made
 * and removed), {@code ReplicaSetStatuses} and {@code StatusWriter} (what is said about it).
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers'; a key is synced by one worker at a time. What
 * both touch are the queue and the expectations, which are thread-safe.
 */
@NullMarked
package io.kubeloop.controller.replicaset;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of Deployments, which replaces the pods of an old template by pods of a new one.
 *
 * <p>Entry type: {@link io.kubeloop.controller.deployment.DeploymentController}. In the order of an event: {@code
 * DeploymentHandlers} queues keys, {@code DeploymentSync} syncs one deployment, {@code NewReplicaSets} finds or creates
 * the ReplicaSet of the current template, {@code RollingUpdate} or {@code Recreate} moves pods from the old ones to it,
 * {@code ReplicaSetScaler} writes their sizes, {@code DeploymentStatuses} computes the status, and {@code
 * ProgressReport} writes it. {@code Rollout} is what one sync sees.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers; one worker at a time syncs a key. They
 * share the queue and the barrier, which are thread-safe. All other types are immutable or stateless.
 */
@NullMarked
package io.kubeloop.controller.deployment;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that deletes pods that no other controller deletes: finished pods beyond a number, pods of nodes that
 * are gone, and pods that are stuck in their deletion.
 *
 * <p>Entry type: {@link io.kubeloop.controller.podgc.PodGcController}. {@code PodGcPass} decides which pods go, {@code
 * MissingNodes} which nodes are gone, and {@code PodRemoval} fails and deletes a pod.
 *
 * <p>Threading: one worker runs the rounds. The informers' caches are thread-safe; {@code MissingNodes} is confined to
 * the worker.
 */
@NullMarked
package io.kubeloop.controller.podgc;

import org.jspecify.annotations.NullMarked;

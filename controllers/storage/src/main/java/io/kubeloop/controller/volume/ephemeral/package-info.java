/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that creates the claims of ephemeral volumes (upstream: {@code pkg/controller/volume/ephemeral}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.volume.ephemeral.EphemeralVolumeController}.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers. They share the queue.
 */
@NullMarked
package io.kubeloop.controller.volume.ephemeral;

import org.jspecify.annotations.NullMarked;

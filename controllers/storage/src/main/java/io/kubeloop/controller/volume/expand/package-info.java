/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that hands the expansion of volumes to external controllers (upstream: {@code
 * pkg/controller/volume/expand}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.volume.expand.VolumeExpansionController}.
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers. They share the queue.
 */
@NullMarked
package io.kubeloop.controller.volume.expand;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that attaches the volumes of pods to their nodes (upstream: {@code
 * pkg/controller/volume/attachdetach}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.volume.attachdetach.AttachDetachController}.
 *
 * <p>Threading: handlers run on the informers' threads and only add items to a queue. One worker owns the desired and
 * the actual state, the operations and everything that this package writes.
 */
@NullMarked
package io.kubeloop.controller.volume.attachdetach;

import org.jspecify.annotations.NullMarked;

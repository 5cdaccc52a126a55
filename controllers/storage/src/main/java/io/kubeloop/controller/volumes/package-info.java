/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The volumes of pods as controllers see them: the claim and the volume behind a pod's volume, the plug-in that serves
 * it, and what has become of former plug-ins (upstream: {@code pkg/controller/volume/attachdetach/util}, {@code
 * pkg/volume} and {@code csi-translation-lib}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.volumes.PodVolumes}.
 *
 * <p>Threading: everything is immutable or reads a thread-safe cache.
 */
@NullMarked
package io.kubeloop.controller.volumes;

import org.jspecify.annotations.NullMarked;

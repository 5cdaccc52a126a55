/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that binds claims to volumes (upstream: {@code pkg/controller/volume/persistentvolume}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.volume.persistentvolume.PersistentVolumeController}. {@code ClaimSync}
 * handles one claim, {@code VolumeSync} one volume, {@code VolumeMatch} finds the best volume of a claim, {@code
 * Binding} makes the four writes of a binding, {@code Provisioning} hands claims to external provisioners, and {@code
 * Reclaim} applies the policy of a released volume. {@code Claim} and {@code Volume} read objects.
 *
 * <p>Threading: handlers run on the informers' threads. One worker handles claims and volumes one after the other,
 * because the decisions about both depend on each other. Claims and volumes that it wrote replace those of the caches
 * until these show them.
 */
@NullMarked
package io.kubeloop.controller.volume.persistentvolume;

import org.jspecify.annotations.NullMarked;

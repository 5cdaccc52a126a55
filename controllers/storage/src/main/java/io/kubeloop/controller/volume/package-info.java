/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers that keep a deleted PersistentVolumeClaim until no pod uses it, and a deleted PersistentVolume until
 * no claim is bound to it. Both work with a finalizer, which the admission plug-in {@code StorageObjectInUseProtection}
 * adds to new objects.
 *
 * <p>Entry types: {@link io.kubeloop.controller.volume.ClaimProtectionController} and {@link
 * io.kubeloop.controller.volume.VolumeProtectionController}. {@code UsedClaims} decides whether a pod uses a claim;
 * {@code Protection} reads and changes the finalizer.
 *
 * <p>Threading: handlers run on the threads of the informers, syncs on the workers. They share a queue and, for claims,
 * the set of names that the next sync of a namespace takes.
 */
@NullMarked
package io.kubeloop.controller.volume;

import org.jspecify.annotations.NullMarked;

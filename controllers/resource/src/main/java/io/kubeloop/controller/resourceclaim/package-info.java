/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that creates the ResourceClaims of pods, and releases claims that no pod uses any more (upstream:
 * {@code pkg/controller/resourceclaim}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.resourceclaim.ResourceClaimController}. {@code PodClaimSync} creates and
 * reserves the claims of a pod, {@code ClaimRelease} removes pods from a claim, {@code ClaimReading} reads pods and
 * claims.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers. The queue never passes one item to two
 * workers at a time.
 */
@NullMarked
package io.kubeloop.controller.resourceclaim;

import org.jspecify.annotations.NullMarked;

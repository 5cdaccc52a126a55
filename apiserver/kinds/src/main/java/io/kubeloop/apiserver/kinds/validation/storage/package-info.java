/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The validation of volumes, claims and the classes and drivers that provide them.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.validation.storage.VolumeClaimRules}. Every type consists of pure
 * functions.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation.storage;

import org.jspecify.annotations.NullMarked;

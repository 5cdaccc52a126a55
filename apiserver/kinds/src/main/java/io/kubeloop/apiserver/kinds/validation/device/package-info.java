/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The validation of devices: classes, claims and the slices in which drivers publish them.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.validation.device.DeviceClaimRules}. Every type consists of pure
 * functions.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation.device;

import org.jspecify.annotations.NullMarked;

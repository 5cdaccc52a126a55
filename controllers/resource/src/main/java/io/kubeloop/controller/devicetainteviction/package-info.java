/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that evicts pods from devices with {@code NoExecute} taints, after the time that their claims tolerate
 * (upstream: {@code pkg/controller/devicetainteviction}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.devicetainteviction.DeviceTaintEvictionController}. {@code DeviceTaints}
 * computes when a claim expires, and {@code DeviceEviction} deletes a pod.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers. The queue never passes one pod to two
 * workers at a time.
 */
@NullMarked
package io.kubeloop.controller.devicetainteviction;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that evicts pods from nodes with {@code NoExecute} taints, after the time that the pods tolerate
 * (upstream: {@code pkg/controller/tainteviction}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.tainteviction.TaintEvictionController}. {@code EvictionTimers} knows
 * which evictions are due, and {@code PodEviction} deletes a pod.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers. {@code EvictionTimers} is shared and
 * thread-safe.
 */
@NullMarked
package io.kubeloop.controller.tainteviction;

import org.jspecify.annotations.NullMarked;

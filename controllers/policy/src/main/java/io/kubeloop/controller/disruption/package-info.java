/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The disruption controller: it computes how many pods of a PodDisruptionBudget may be evicted (upstream: {@code
 * pkg/controller/disruption}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.disruption.DisruptionController}. {@code BudgetSync} syncs one budget,
 * {@code ExpectedPods} counts the pods that its owners want, {@code StaleDisruptions} resets conditions of pods that
 * were not deleted.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the controller's workers, one at a time for each key.
 */
@NullMarked
package io.kubeloop.controller.disruption;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What can be done to an operator in a trial, and the list of trials that follows from a recording.
 *
 * <p>Start at {@link io.kubeloop.simulation.disturbance.TrialPlanner}. The disturbances are immutable; their effects
 * belong to one run and are thread-safe.
 */
@NullMarked
package io.kubeloop.simulation.disturbance;

import org.jspecify.annotations.NullMarked;

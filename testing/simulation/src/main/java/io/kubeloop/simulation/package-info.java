/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Proves an operator: runs a workload once without faults, and then again and again with one disturbance each, and
 * compares what is left.
 *
 * <p>Start at {@link io.kubeloop.simulation.Simulation}. Each trial has a control plane of its own, so trials share
 * nothing; the thread that runs a simulation runs its trials one after the other.
 */
@NullMarked
package io.kubeloop.simulation;

import org.jspecify.annotations.NullMarked;

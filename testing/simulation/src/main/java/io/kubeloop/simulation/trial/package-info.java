/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One run of a workload: the control plane, the instances of the operator, and the filter between them that records
 * requests and disturbs them.
 *
 * <p>Start at {@link io.kubeloop.simulation.trial.TrialRun}. One thread drives a run, a second one starts and stops the
 * instances, and the requests come on the threads of their clients.
 */
@NullMarked
package io.kubeloop.simulation.trial;

import org.jspecify.annotations.NullMarked;

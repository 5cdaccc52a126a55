/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The validation of workloads: deployments and their like, jobs, schedules, autoscalers and disruption budgets.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.validation.workload.WorkloadRules}. Every type consists of pure
 * functions.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation.workload;

import org.jspecify.annotations.NullMarked;

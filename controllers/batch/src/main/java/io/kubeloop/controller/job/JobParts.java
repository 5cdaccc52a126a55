/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.controller.pods.PodControl;
import java.time.Clock;
import java.util.concurrent.Executor;

/**
 * The parts that the steps of a sync share.
 *
 * @param writes writes jobs and pods
 * @param podControl records events about writes of pods
 * @param executor runs parallel writes
 * @param metrics records metrics
 * @param clock the time of day
 */
record JobParts(JobWrites writes, PodControl podControl, Executor executor, JobMetrics metrics, Clock clock) {}

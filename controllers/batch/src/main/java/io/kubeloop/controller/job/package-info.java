/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that runs the pods of Jobs (upstream: {@code pkg/controller/job}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.job.JobController}. In the order of an event: {@code JobHandlers} queues
 * keys, {@code JobSync} syncs one job, {@code JobClaims} finds its pods, {@code JobEnd} decides whether it ends, {@code
 * JobScaler} creates and deletes pods, and {@code JobTracking} counts them and writes the status. {@code JobRun} is
 * what one sync sees.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers; one worker at a time syncs a key. They
 * share the queues and the records of recent writes, which are thread-safe. {@code JobRun} belongs to one sync. All
 * other types are immutable or stateless.
 */
@NullMarked
package io.kubeloop.controller.job;

import org.jspecify.annotations.NullMarked;

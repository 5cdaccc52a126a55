/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that creates Jobs by the schedules of CronJobs (upstream: {@code pkg/controller/cronjob}).
 *
 * <p>Entry types: {@link io.kubeloop.controller.cronjob.CronJobController}, {@code CronJobSync} for one sync, and
 * {@code CronSchedule} for the times of a schedule.
 *
 * <p>Threading: syncs run on the workers; one worker at a time syncs a key. They share the queue and the records of
 * recent writes, which are thread-safe. All other types are immutable or stateless.
 */
@NullMarked
package io.kubeloop.controller.cronjob;

import org.jspecify.annotations.NullMarked;

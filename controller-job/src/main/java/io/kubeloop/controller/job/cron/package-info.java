/**
 * The schedules of CronJobs and the sync that starts their jobs.
 *
 * <p>Entry types: {@link io.kubeloop.controller.job.cron.CronJobSync} and {@link
 * io.kubeloop.controller.job.cron.CronSchedule}.
 *
 * <p>Threading: syncs run on the workers; one worker at a time syncs a key. They share the queue and the records of recent
 * writes, which are thread-safe. All other types are immutable or stateless.
 */
@NullMarked
package io.kubeloop.controller.job.cron;

import org.jspecify.annotations.NullMarked;

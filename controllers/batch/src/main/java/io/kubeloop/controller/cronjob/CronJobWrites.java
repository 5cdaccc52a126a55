/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.RecentWrites;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Writes CronJobs and jobs, and remembers the CronJobs that it wrote until the cache shows them: a sync that missed the
 * last start would start the same job again. Thread-safe for different CronJobs. Every write blocks until the server
 * responds.
 */
public final class CronJobWrites {

    private static final DeleteOptions WITH_PODS =
            new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null);

    private final ResourceClient<CronJob> cronJobs;
    private final ResourceClient<Job> jobs;
    private final RecentWrites<CronJob> written;

    /** Creates the writer of a controller; the clock measures the age of written states. */
    public CronJobWrites(ResourceClient<CronJob> cronJobs, ResourceClient<Job> jobs, Clock steady) {
        this.cronJobs = cronJobs;
        this.jobs = jobs;
        written = new RecentWrites<>(cronJobs, steady);
    }

    /** Returns the CronJob as cached or, if that is newer, as last written. */
    CronJob latest(CronJob cached) {
        return written.latest(cached);
    }

    /** Returns the CronJob from the server. */
    CronJob read(ObjectName name) {
        return cronJobs.get(name);
    }

    void updateStatus(CronJob changed) {
        written.updateStatus(changed);
    }

    void forget(ObjectName cronJob) {
        written.forget(cronJob);
    }

    /** Returns a job from the server, or null if there is none. */
    @Nullable
    Job find(ObjectName name) {
        try {
            return jobs.get(name);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /** Returns a job from the server. */
    Job readJob(ObjectName name) {
        return jobs.get(name);
    }

    Job create(Job job) {
        return jobs.create(job);
    }

    void delete(ObjectName job) {
        jobs.delete(job, WITH_PODS);
    }
}

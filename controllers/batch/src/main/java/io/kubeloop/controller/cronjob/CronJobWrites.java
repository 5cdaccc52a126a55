/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.WriteBarrier;
import org.jspecify.annotations.Nullable;

/**
 * Writes CronJobs and jobs. A CronJob is not synced again before the caches show what its last sync wrote: a sync that
 * missed the last start would start the same job again. Thread-safe for different CronJobs. Every write blocks until
 * the server responds.
 */
public final class CronJobWrites {

    private static final DeleteOptions WITH_PODS =
            new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null);

    private final WriteBarrier.Owners<CronJob> cronJobs;
    private final ResourceClient<Job> jobs;

    /**
     * Creates the writer of a controller.
     *
     * @param cronJobs writes CronJobs; its barrier follows the cache of jobs as well
     */
    public CronJobWrites(KubeClient client, WriteBarrier.Owners<CronJob> cronJobs) {
        this.cronJobs = cronJobs;
        jobs = client.resource(ResourceTypes.JOBS);
    }

    /** Returns the writer of CronJobs, which knows whether a sync must be put off. */
    WriteBarrier.Owners<CronJob> cronJobs() {
        return cronJobs;
    }

    /** Returns the CronJob from the server. */
    CronJob readCronJob(ObjectName name) {
        return cronJobs.client().get(name);
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

    Job create(ObjectName cronJob, Job job) {
        return cronJobs.barrier().wrote(cronJob, ResourceTypes.JOBS, jobs.create(job));
    }

    void delete(ObjectName job) {
        jobs.delete(job, WITH_PODS);
    }
}

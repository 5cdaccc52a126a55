/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobSpec;
import io.kubeloop.api.core.Pod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the spec of a job, with the defaults of absent fields. Stateless. */
final class Jobs {

    /** The finalizer of pods that are not part of the job's counts yet. */
    static final String FINALIZER = "batch.kubernetes.io/job-tracking";

    private static final String CONTROLLER_NAME = "kubernetes.io/job-controller";
    private static final int DEFAULT_BACKOFF_LIMIT = 6;

    private Jobs() {}

    static boolean isIndexed(Job job) {
        return job.spec().completionMode().equals(JobSpec.INDEXED);
    }

    static boolean isSuspended(Job job) {
        return Boolean.TRUE.equals(job.spec().suspend());
    }

    /** Returns whether another controller manages the job. */
    static boolean isForeign(Job job) {
        String manager = job.spec().managedBy();
        return manager != null && !manager.equals(CONTROLLER_NAME);
    }

    /** Returns whether each index has a backoff limit of its own. */
    static boolean hasLimitPerIndex(Job job) {
        return job.spec().backoffLimitPerIndex() != null;
    }

    /** Returns whether a pod that is being deleted is replaced only after its end. */
    static boolean replacesOnlyFailed(Job job) {
        return job.spec().podReplacementPolicy().equals("Failed") || job.spec().podFailurePolicy() != null;
    }

    static int parallelism(Job job) {
        return orElse(job.spec().parallelism(), 1);
    }

    /** Returns the number of completions of an Indexed job, which always has one. */
    static int completions(Job job) {
        return orElse(job.spec().completions(), 0);
    }

    static int backoffLimit(Job job) {
        return orElse(job.spec().backoffLimit(), DEFAULT_BACKOFF_LIMIT);
    }

    /** Returns the longest time that the job may be active; null for no limit. */
    static @Nullable Duration activeDeadline(Job job) {
        Long seconds = job.spec().activeDeadlineSeconds();
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    static int orElse(@Nullable Integer value, int other) {
        return value == null ? other : value;
    }

    /** Returns whether the pod has the finalizer of jobs. */
    static boolean isTracked(Pod pod) {
        return Finalizers.has(pod, FINALIZER);
    }
}

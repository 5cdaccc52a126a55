/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles events of jobs and pods: queues the jobs that they concern, and the pods that have lost their job (upstream:
 * the handlers in {@code job_controller.go}). One thread delivers the events of jobs, another those of pods.
 *
 * <p>A new job and a new generation are synced at once. All other events are synced {@link JobSync#BATCH} later, so
 * one sync covers several.
 */
final class JobHandlers {

    private static final Logger LOG = LoggerFactory.getLogger(JobHandlers.class);

    private final Lister<Job> jobs;
    private final DelayingQueue<ObjectName> queue;
    private final WorkQueue<OrphanKey> orphans;
    private final JobMetrics metrics;

    /** Creates handlers; the clock of the metrics is the time of day. */
    JobHandlers(Lister<Job> jobs, DelayingQueue<ObjectName> queue, WorkQueue<OrphanKey> orphans, JobMetrics metrics) {
        this.jobs = jobs;
        this.queue = queue;
        this.orphans = orphans;
        this.metrics = metrics;
    }

    /** Returns the handler of events of jobs. */
    ResourceEventHandler<Job> ofJobs() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Job job, boolean isInInitialList) {
                queue.add(job.objectName());
                metrics.appeared(job);
            }

            @Override
            public void onUpdate(Job old, Job current) {
                changed(old, current);
            }

            @Override
            public void onDelete(DeletedObject<Job> deleted) {
                queue.add(deleted.name());
                orphans.add(OrphanKey.all(deleted.name().namespace()));
            }
        };
    }

    private void changed(Job old, Job current) {
        // The UID differs if the watch has missed the deletion of the old job.
        if (current.isFinished()
                || !old.metadata().uid().equals(current.metadata().uid())) {
            orphans.add(OrphanKey.all(current.metadata().namespace()));
        }
        if (current.metadata().generation() == old.metadata().generation()) {
            queueLater(current);
        } else {
            queue.add(current.objectName());
        }
        Duration left = JobEnd.untilDeadline(current, metrics.clock().instant());
        if (left != null
                && !Objects.equals(
                        old.spec().activeDeadlineSeconds(), current.spec().activeDeadlineSeconds())) {
            queue.addAfter(current.objectName(), left);
        }
    }

    private void queueLater(Job job) {
        queue.addAfter(job.objectName(), JobSync.BATCH);
    }

    /** Returns the handler of events of pods. */
    ResourceEventHandler<Pod> ofPods() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod, boolean isInInitialList) {
                metrics.podChanged(null, pod);
                changed(pod, null);
            }

            @Override
            public void onUpdate(Pod old, Pod current) {
                metrics.podChanged(old, current);
                // A resync delivers unchanged objects.
                if (!old.metadata().resourceVersion().equals(current.metadata().resourceVersion())) {
                    changed(current, old);
                }
            }

            @Override
            public void onDelete(DeletedObject<Pod> deleted) {
                Pod last = deleted.lastKnown();
                if (last != null) {
                    metrics.podChanged(last, null);
                    ending(last);
                }
            }
        };
    }

    private void changed(Pod pod, @Nullable Pod old) {
        if (pod.metadata().isDeleting()) {
            ending(pod);
            return;
        }
        OwnerReference controller = pod.metadata().controller();
        OwnerReference before = old == null ? null : old.metadata().controller();
        boolean hasNewOwner = old != null && !Objects.equals(controller, before);
        if (hasNewOwner) {
            queueOwner(pod, before);
        }
        if (controller != null) {
            queueOwner(pod, controller);
            return;
        }
        if (Jobs.isTracked(pod)) {
            orphans.add(OrphanKey.of(pod));
        }
        if (old == null
                || hasNewOwner
                || !old.metadata().labels().equals(pod.metadata().labels())) {
            jobs.list(pod.metadata().namespace(), job -> selects(job, pod)).forEach(this::queueLater);
        }
    }

    private void queueOwner(Pod pod, @Nullable OwnerReference reference) {
        Job owner = OrphanPods.owner(jobs, pod.metadata().namespace(), reference);
        if (owner != null) {
            queueLater(owner);
        }
    }

    /** Handles a pod that is being deleted or is gone. A job that has ended does not take the finalizer from it. */
    private void ending(Pod pod) {
        OwnerReference controller = pod.metadata().controller();
        Job owner = OrphanPods.owner(jobs, pod.metadata().namespace(), controller);
        if (owner != null && !owner.isFinished()) {
            queueLater(owner);
        } else if (Jobs.isTracked(pod)) {
            orphans.add(OrphanKey.of(pod));
        }
    }

    private static boolean selects(Job job, Pod pod) {
        try {
            return !pod.metadata().labels().isEmpty()
                    && LabelSelectors.of(job.spec().selector())
                            .matches(pod.metadata().labels());
        } catch (InvalidSelectorException e) {
            LOG.debug("Job {} selects nothing, its selector is invalid: {}", job.objectName(), e.getMessage());
            return false;
        }
    }
}

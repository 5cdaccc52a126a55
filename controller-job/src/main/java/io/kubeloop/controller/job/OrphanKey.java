package io.kubeloop.controller.job;

import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.core.Pod;

/**
 * Pods that may have lost their job.
 *
 * @param namespace their namespace
 * @param pod the name of the pod; empty for all pods that the selector matches
 * @param selector the selector of the job that ended or is gone
 */
record OrphanKey(String namespace, String pod, LabelSelector selector) {

    static OrphanKey of(Pod pod) {
        return new OrphanKey(pod.metadata().namespace(), pod.metadata().name(), LabelSelector.EMPTY);
    }

    static OrphanKey ofPodsOf(Job job) {
        LabelSelector selector = job.spec().selector();
        return new OrphanKey(job.metadata().namespace(), "", selector == null ? LabelSelector.EMPTY : selector);
    }
}

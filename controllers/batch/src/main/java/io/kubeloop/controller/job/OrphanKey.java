/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.core.Pod;

/**
 * Pods that may have lost their job.
 *
 * @param namespace their namespace
 * @param pod the name of the pod; empty for all pods of the namespace that name a job as their controller
 */
record OrphanKey(String namespace, String pod) {

    static OrphanKey of(Pod pod) {
        return new OrphanKey(pod.metadata().namespace(), pod.metadata().name());
    }

    static OrphanKey all(String namespace) {
        return new OrphanKey(namespace, "");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an owner that the controller reads, the same for both kinds. Immutable.
 *
 * @param object the object as stored; writes are made from it
 * @param replicas the wanted number of pods
 * @param minReadySeconds the seconds of readiness after which a pod is available
 * @param labelSelector selects the owner's pods; null selects none
 * @param template the template of new pods
 * @param status the stored status
 * @param <T> the kind
 */
record ReplicaView<T extends KubeObject>(
        T object,
        int replicas,
        int minReadySeconds,
        @Nullable LabelSelector labelSelector,
        PodTemplateSpec template,
        ReplicaSetStatus status) {

    ObjectMeta metadata() {
        return object.metadata();
    }

    ObjectName key() {
        return object.objectName();
    }

    String namespace() {
        return object.metadata().namespace();
    }

    /**
     * Returns the predicate over pods' labels.
     *
     * @throws io.kubeloop.api.selector.InvalidSelectorException if the selector is invalid
     */
    Selector selector() {
        return LabelSelectors.of(labelSelector);
    }
}

package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * What the controller needs to know of an object that keeps pods running, whichever kind it is stored as.
 *
 * @param object the object as stored, untouched: what is written back is made from it
 * @param replicas how many pods are wanted
 * @param minReadySeconds how long a pod is ready before it is available
 * @param labelSelector which pods count; null for none
 * @param template what new pods look like
 * @param status what was last said about it
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
     * @throws io.kubeloop.api.selector.InvalidSelectorException if the selector makes no sense
     */
    Selector selector() {
        return LabelSelectors.of(labelSelector);
    }
}

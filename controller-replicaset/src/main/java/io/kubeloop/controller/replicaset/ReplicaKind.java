/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.apps.ReplicaSetStatus;

/**
 * A kind of owner that this controller handles: ReplicaSets or ReplicationControllers.
 *
 * @param <T> the kind
 */
interface ReplicaKind<T extends KubeObject> {

    /** Returns the resource. */
    ResourceType<T> type();

    /** Returns the name of the controller on the command line. */
    String controllerName();

    /** Returns the name of the queue, which its metrics have. */
    default String queueName() {
        return controllerName();
    }

    /** Returns the component name for its client and its events. */
    String component();

    /** Returns whether the status has the number of terminating pods; if not, the field is removed. */
    boolean countsTerminating();

    /** Returns the controller's view of the object. */
    ReplicaView<T> view(T object);

    /** Returns a copy with this status and nothing else changed. */
    T withStatus(T object, ReplicaSetStatus status);
}

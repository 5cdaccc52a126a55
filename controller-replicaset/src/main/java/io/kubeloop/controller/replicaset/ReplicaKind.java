package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.apps.ReplicaSetStatus;

/**
 * A kind of object that keeps pods running, seen with the controller's eyes.
 *
 * @param <T> the kind
 */
interface ReplicaKind<T extends KubeObject> {

    /** Returns the resource. */
    ResourceType<T> type();

    /** Returns the controller's name on the command line, and that of its queue. */
    String controllerName();

    /** Returns the name under which it talks to the server and reports events. */
    String component();

    /** Returns whether the status says how many pods are being deleted; else it says nothing of them, whatever stood there. */
    boolean countsTerminating();

    /** Returns what the controller sees of the object. */
    ReplicaView<T> view(T object);

    /** Returns a copy with this status and nothing else changed. */
    T withStatus(T object, ReplicaSetStatus status);
}

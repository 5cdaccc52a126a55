/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.PreparedCreate;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.controller.pods.PodControl;
import java.util.List;

/**
 * Reads, adopts, releases, creates and deletes the pods of owners. Thread-safe: workers call it for different owners,
 * and the threads of parallel writes for one. Every method blocks if it sends a request.
 */
final class OwnedPods<T extends KubeObject> {

    private final ReplicaSetSync.Caches<T> caches;
    private final KubeClient client;
    private final PodControl control;
    private final ChildWrites<Pod> writes;

    OwnedPods(ReplicaSetSync.Caches<T> caches, KubeClient client, PodControl control, ChildWrites<Pod> writes) {
        this.caches = caches;
        this.client = client;
        this.control = control;
        this.writes = writes;
    }

    /**
     * Returns the owner's pods and the orphans of its namespace. Lists the pods from the server if a creation has an
     * unknown outcome.
     */
    List<Pod> candidates(ReplicaView<T> owner) {
        List<Pod> cached = caches
                .pods()
                .candidates(owner.namespace(), owner.metadata().uid())
                .stream()
                .filter(pod -> isCandidate(owner, pod))
                .toList();
        return writes.latest(owner.key(), cached, pod -> isCandidate(owner, pod));
    }

    /**
     * The UID alone does not identify the owner's pods. A reference with another name or kind never queues this owner,
     * and the garbage collector treats its owner as deleted.
     */
    private boolean isCandidate(ReplicaView<T> owner, Pod pod) {
        OwnerReference ref = pod.metadata().controller();
        return ref == null
                || (ref.uid().equals(owner.metadata().uid())
                        && ref.name().equals(owner.metadata().name())
                        && ref.kind().equals(caches.kind().type().kind()));
    }

    /**
     * Adopts and releases pods, and returns those that the owner controls afterwards, in the given order (upstream:
     * {@code claimPods}).
     *
     * @throws RuntimeException if a patch failed, after all candidates were processed
     */
    List<Pod> claim(ReplicaView<T> owner, Selector selector, List<Pod> candidates) {
        return new ControllerRefManager<Pod>(
                        caches.kind().type(),
                        owner.object(),
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, caches.kind().type(), owner.object()),
                        "Pod",
                        (pod, patch) -> writes.write(owner.key(), pod, () -> control.patchPod(pod.objectName(), patch)))
                .claim(candidates);
    }

    /** Returns an action that creates one pod of the owner with each call, and records an event. */
    Runnable creation(ReplicaView<T> owner) {
        PreparedCreate request = control.podCreation(
                owner.namespace(),
                owner.template(),
                reference(owner),
                ControllerRefs.newControllerRef(caches.kind().type(), owner.object()));
        ObjectName key = owner.key();
        return () -> writes.create(key, request);
    }

    /**
     * Deletes a pod and records an event.
     *
     * @throws io.kubeloop.api.client.ApiException the response if the server has no such pod
     * @throws io.kubeloop.controller.ControllerException if the deletion fails for any other reason
     */
    void delete(ReplicaView<T> owner, Pod pod) {
        writes.delete(owner.key(), pod, () -> control.deletePod(pod.objectName(), reference(owner)));
    }

    private ObjectReference reference(ReplicaView<T> owner) {
        return ObjectReferences.of(caches.kind().type(), owner.object());
    }
}

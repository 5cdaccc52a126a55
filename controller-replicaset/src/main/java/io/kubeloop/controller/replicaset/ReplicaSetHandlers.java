/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.expectations.UidTrackingControllerExpectations;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles events of owners and pods: queues the owners' keys and lowers expectations (upstream: the handlers of the
 * same names in {@code replica_set.go}).
 *
 * <p>One thread delivers the events of owners, another those of pods.
 */
final class ReplicaSetHandlers<T extends KubeObject> {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaSetHandlers.class);

    private final ReplicaKind<T> kind;
    private final Lister<T> owners;
    private final UidTrackingControllerExpectations expectations;
    private final PerOwnerThrottle createFailures;
    private final DelayingQueue<ObjectName> queue;

    /**
     * Creates handlers.
     *
     * @param createFailures delays the events of an owner whose pod creations were all rejected a moment ago, for
     *     example by a quota. Upstream tries again at each event, and there are many: each pod that starts, each status
     *     that it writes itself. Retries of the work queue are not delayed
     */
    ReplicaSetHandlers(
            ReplicaSetSync.Caches<T> caches,
            UidTrackingControllerExpectations expectations,
            PerOwnerThrottle createFailures,
            DelayingQueue<ObjectName> queue) {
        this.kind = caches.kind();
        this.owners = caches.owners();
        this.expectations = expectations;
        this.createFailures = createFailures;
        this.queue = queue;
    }

    void addRS(T owner) {
        queue.add(owner.objectName());
    }

    /** A new UID under the old name is another object: the deletion of the first one was missed. */
    void updateRS(T old, T current) {
        if (!old.metadata().uid().equals(current.metadata().uid())) {
            deleteRS(new DeletedFinalStateUnknown<>(old.objectName(), old));
        }
        enqueue(current.objectName());
    }

    /** Drops the owner's expectations, so a new owner of the same name does not wait for this owner's pods. */
    void deleteRS(DeletedObject<? extends T> deleted) {
        expectations.deleteExpectations(deleted.name());
        queue.add(deleted.name());
    }

    /**
     * Handles a new pod.
     *
     * @param isInInitialList whether the pod existed before the controller started; it fulfills no expectation then
     */
    void addPod(Pod pod, boolean isInInitialList) {
        if (pod.metadata().isDeleting()) {
            // After a restart of the controller, a pod may first appear while it is being deleted.
            deletePod(pod);
            return;
        }
        OwnerReference controllerRef = pod.metadata().controller();
        if (controllerRef != null) {
            T owner = resolveControllerRef(pod.metadata().namespace(), controllerRef);
            if (owner != null) {
                if (!isInInitialList) {
                    expectations.creationObserved(owner.objectName());
                }
                enqueue(owner.objectName());
            }
            return;
        }
        enqueueMatching(pod);
    }

    void updatePod(Pod old, Pod current) {
        if (current.metadata().resourceVersion().equals(old.metadata().resourceVersion())) {
            // A resync delivers unchanged pods.
            return;
        }
        boolean labelsChanged =
                !current.metadata().labels().equals(old.metadata().labels());
        if (current.metadata().isDeleting()) {
            // A graceful deletion is an update first. The owner replaces the pod now, not after it has ended.
            deletePod(current);
            if (labelsChanged) {
                deletePod(old);
            }
            return;
        }
        OwnerReference currentRef = current.metadata().controller();
        OwnerReference oldRef = old.metadata().controller();
        boolean ownerChanged = !Objects.equals(currentRef, oldRef);
        if (ownerChanged && oldRef != null) {
            T oldOwner = resolveControllerRef(old.metadata().namespace(), oldRef);
            if (oldOwner != null) {
                enqueue(oldOwner.objectName());
            }
        }
        if (currentRef != null) {
            T owner = resolveControllerRef(current.metadata().namespace(), currentRef);
            if (owner != null) {
                ownedPodChanged(owner, old, current);
            }
            return;
        }
        if (labelsChanged || ownerChanged) {
            enqueueMatching(current);
        }
    }

    private void ownedPodChanged(T owner, Pod old, Pod current) {
        enqueue(owner.objectName());
        int minReadySeconds = kind.view(owner).minReadySeconds();
        if (minReadySeconds > 0 && !Pods.isPodReady(old) && Pods.isPodReady(current)) {
            // One second more: a pod is available once it has been ready for longer than the minimum, in whole seconds.
            queue.addAfter(owner.objectName(), Duration.ofSeconds(minReadySeconds + 1L));
        }
    }

    /** Handles a deletion. Without the pod's last state its owner is unknown. */
    void deletePod(DeletedObject<? extends Pod> deleted) {
        Pod pod = deleted.lastKnown();
        if (pod == null) {
            LOG.warn(
                    "Pod {} was deleted, its last state is unknown; its owner is synced at its next event",
                    deleted.name());
            return;
        }
        deletePod(pod);
    }

    private void deletePod(Pod pod) {
        OwnerReference controllerRef = pod.metadata().controller();
        if (controllerRef == null) {
            return;
        }
        T owner = resolveControllerRef(pod.metadata().namespace(), controllerRef);
        if (owner != null) {
            expectations.deletionObserved(owner.objectName(), Pods.podKey(pod));
            enqueue(owner.objectName());
        }
    }

    /** Queues the owner: at once, or after the backoff if its creations were rejected a moment ago. */
    private void enqueue(ObjectName owner) {
        Duration hold = createFailures.left(owner);
        if (hold.isZero()) {
            queue.add(owner);
        } else {
            queue.addAfter(owner, hold);
        }
    }

    /** Returns the owner of the reference; null if it has another kind, does not exist, or has another UID. */
    private @Nullable T resolveControllerRef(String namespace, OwnerReference controllerRef) {
        if (!controllerRef.kind().equals(kind.type().kind())) {
            return null;
        }
        T owner = owners.get(new ObjectName(namespace, controllerRef.name()));
        return owner != null && owner.metadata().uid().equals(controllerRef.uid()) ? owner : null;
    }

    /** Queues all owners that could adopt the orphan; the first sync adopts it. */
    private void enqueueMatching(Pod orphan) {
        if (orphan.metadata().labels().isEmpty()) {
            return;
        }
        List<T> matching = owners.list(orphan.metadata().namespace(), owner -> selects(owner, orphan));
        if (matching.size() > 1) {
            LOG.warn(
                    "More than one of {} selects pod {}, change their selectors: {}",
                    kind.type(),
                    orphan.objectName(),
                    matching.stream().map(KubeObject::objectName).toList());
        }
        matching.forEach(owner -> enqueue(owner.objectName()));
    }

    /** An empty selector, which validation should have rejected, selects nothing. */
    private boolean selects(T owner, Pod pod) {
        try {
            Selector selector = kind.view(owner).selector();
            return !selector.isEmpty() && selector.matches(pod.metadata().labels());
        } catch (InvalidSelectorException e) {
            LOG.debug(
                    "{} {} selects no pods, its selector is invalid: {}",
                    kind.type(),
                    owner.objectName(),
                    e.getMessage());
            return false;
        }
    }
}

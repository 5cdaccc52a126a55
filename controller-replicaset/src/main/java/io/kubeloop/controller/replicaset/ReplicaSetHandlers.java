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
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what the caches tell into keys to look at, and into expectations met (upstream: the handlers in
 * {@code replica_set.go}, by the same names).
 *
 * <p>Owners' events come on one thread, pods' on another.
 */
final class ReplicaSetHandlers<T extends KubeObject> {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaSetHandlers.class);

    private final ReplicaKind<T> kind;
    private final Lister<T> owners;
    private final OwnerTracking tracking;
    private final DelayingQueue<ObjectName> queue;

    ReplicaSetHandlers(ReplicaCaches<T> caches, OwnerTracking tracking, DelayingQueue<ObjectName> queue) {
        this.kind = caches.kind();
        this.owners = caches.owners();
        this.tracking = tracking;
        this.queue = queue;
    }

    void addRS(T owner) {
        queue.add(owner.objectName());
    }

    /** A new UID under the old name is another object: the deletion of the first was missed. */
    void updateRS(T old, T current) {
        if (!old.metadata().uid().equals(current.metadata().uid())) {
            deleteRS(new DeletedFinalStateUnknown<>(old.objectName(), old));
        }
        enqueue(current.objectName());
    }

    /** Forgets what is expected, so that a new object of this name begins anew; unless that one has begun already. */
    void deleteRS(DeletedObject<? extends T> deleted) {
        tracking.uids().deleted(deleted);
        queue.add(deleted.name());
    }

    /**
     * Takes note of a pod.
     *
     * @param isInInitialList whether it existed before the controller began; then it is nothing the controller waits for
     */
    void addPod(Pod pod, boolean isInInitialList) {
        if (pod.metadata().isDeleting()) {
            // After a restart of the controller a pod can first be seen when its deletion is already under way.
            deletePod(pod);
            return;
        }
        OwnerReference controllerRef = pod.metadata().controller();
        if (controllerRef != null) {
            T owner = resolveControllerRef(pod.metadata().namespace(), controllerRef);
            if (owner != null) {
                if (!isInInitialList) {
                    tracking.expectations().creationObserved(owner.objectName());
                }
                tracking.pending().seen(owner.objectName(), pod);
                enqueue(owner.objectName());
            }
            return;
        }
        enqueueMatching(pod);
    }

    void updatePod(Pod old, Pod current) {
        if (current.metadata().resourceVersion().equals(old.metadata().resourceVersion())) {
            // A resync shows every pod again; nothing has changed.
            return;
        }
        boolean labelsChanged =
                !current.metadata().labels().equals(old.metadata().labels());
        if (current.metadata().isDeleting()) {
            // Deletion with grace is an update first. The owner replaces the pod from now on, not when it is gone.
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
            // One second more: a pod counts when it has been ready for longer than the minimum, in whole seconds.
            queue.addAfter(owner.objectName(), Duration.ofSeconds(minReadySeconds + 1L));
        }
    }

    /** Takes note of a deletion; of a pod whose last state is not known nobody can tell whose it was. */
    void deletePod(DeletedObject<? extends Pod> deleted) {
        Pod pod = deleted.lastKnown();
        if (pod == null) {
            LOG.warn(
                    "Pod {} was deleted in a state that is not known: its owner is left to its next event",
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
            tracking.expectations().deletionObserved(owner.objectName(), Pods.podKey(pod));
            tracking.pending().seen(owner.objectName(), pod);
            enqueue(owner.objectName());
        }
    }

    /** Has the owner looked at: at once, unless it was refused its pods just now. */
    private void enqueue(ObjectName owner) {
        Duration hold = tracking.createFailures().hold(owner);
        if (hold.isZero()) {
            queue.add(owner);
        } else {
            queue.addAfter(owner, hold);
        }
    }

    /** Returns the owner that is meant, or null if it is of another kind, gone, or another of the same name. */
    private @Nullable T resolveControllerRef(String namespace, OwnerReference controllerRef) {
        if (!controllerRef.kind().equals(kind.type().kind())) {
            return null;
        }
        T owner = owners.get(new ObjectName(namespace, controllerRef.name()));
        return owner != null && owner.metadata().uid().equals(controllerRef.uid()) ? owner : null;
    }

    /** Wakes all who could adopt the orphan; the first to come gets it. */
    private void enqueueMatching(Pod orphan) {
        if (orphan.metadata().labels().isEmpty()) {
            return;
        }
        List<T> matching = owners.list(orphan.metadata().namespace(), owner -> selects(owner, orphan));
        if (matching.size() > 1) {
            LOG.warn(
                    "More than one of {} selects pod {}: {}",
                    kind.type(),
                    orphan.objectName(),
                    matching.stream().map(KubeObject::objectName).toList());
        }
        matching.forEach(owner -> enqueue(owner.objectName()));
    }

    /** An empty selector selects nothing here: it must have slipped through validation. */
    private boolean selects(T owner, Pod pod) {
        try {
            Selector selector = kind.view(owner).selector();
            return !selector.isEmpty() && selector.matches(pod.metadata().labels());
        } catch (InvalidSelectorException e) {
            LOG.debug("{} {} selects nothing: {}", kind.type(), owner.objectName(), e.getMessage());
            return false;
        }
    }
}

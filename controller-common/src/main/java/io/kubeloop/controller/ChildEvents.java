/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.workqueue.WorkQueue;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues the owners of children that change (upstream: {@code addPod}, {@code updatePod} and {@code deletePod} of each
 * controller). An orphan queues every owner that selects it, so the first sync adopts it.
 *
 * <p>Thread-safe; has no state of its own. Its methods do not block.
 *
 * @param <O> the kind of the owners
 * @param <C> the kind of the children
 */
public final class ChildEvents<O extends KubeObject, C extends KubeObject> implements ResourceEventHandler<C> {

    private static final Logger LOG = LoggerFactory.getLogger(ChildEvents.class);

    private final ResourceType<O> ownerType;
    private final Lister<O> owners;
    private final Function<O, @Nullable LabelSelector> selector;
    private final WorkQueue<ObjectName> queue;
    private final OnUpdate<O, C> onUpdate;

    /** Is called for each update of a child with an owner, after the owner was queued. */
    @FunctionalInterface
    public interface OnUpdate<O, C> {

        /** Handles the update; must not block. */
        void updated(O owner, C old, C current);
    }

    /**
     * Creates a handler.
     *
     * @param selector returns the selector of an owner
     * @param onUpdate additional handling of updates, such as of a pod that became ready
     */
    public ChildEvents(
            ResourceType<O> ownerType,
            Lister<O> owners,
            Function<O, @Nullable LabelSelector> selector,
            WorkQueue<ObjectName> queue,
            OnUpdate<O, C> onUpdate) {
        this.ownerType = ownerType;
        this.owners = owners;
        this.selector = selector;
        this.queue = queue;
        this.onUpdate = onUpdate;
    }

    @Override
    public String handlerName() {
        return "owners in " + ownerType;
    }

    @Override
    public void onAdd(C child, boolean isInInitialList) {
        if (child.metadata().controller() != null) {
            queueOwner(child);
        } else if (!child.metadata().isDeleting()) {
            queueSelecting(child);
        }
    }

    @Override
    public void onUpdate(C old, C current) {
        // A resync delivers unchanged objects.
        if (old.metadata().resourceVersion().equals(current.metadata().resourceVersion())) {
            return;
        }
        OwnerReference controller = current.metadata().controller();
        boolean ownerChanged = !Objects.equals(controller, old.metadata().controller());
        if (ownerChanged) {
            queueOwner(old);
        }
        if (controller != null) {
            O owner = queueOwner(current);
            if (owner != null) {
                onUpdate.updated(owner, old, current);
            }
        } else if (!current.metadata().isDeleting()
                && (ownerChanged
                        || !old.metadata().labels().equals(current.metadata().labels()))) {
            queueSelecting(current);
        }
    }

    @Override
    public void onDelete(DeletedObject<C> deleted) {
        C last = deleted.lastKnown();
        if (last != null) {
            queueOwner(last);
        }
    }

    private @Nullable O queueOwner(C child) {
        O owner = owner(child);
        if (owner != null) {
            queue.add(owner.objectName());
        }
        return owner;
    }

    private @Nullable O owner(C child) {
        OwnerReference reference = child.metadata().controller();
        if (reference == null || !reference.kind().equals(ownerType.kind())) {
            return null;
        }
        O found = owners.get(new ObjectName(child.metadata().namespace(), reference.name()));
        return found != null && found.metadata().uid().equals(reference.uid()) ? found : null;
    }

    private void queueSelecting(C orphan) {
        if (!orphan.metadata().labels().isEmpty()) {
            owners.list(orphan.metadata().namespace(), owner -> selects(owner, orphan))
                    .forEach(owner -> queue.add(owner.objectName()));
        }
    }

    private boolean selects(O owner, C child) {
        LabelSelector labels = selector.apply(owner);
        try {
            Selector parsed = LabelSelectors.of(labels == null ? LabelSelector.EMPTY : labels);
            return !parsed.isEmpty() && parsed.matches(child.metadata().labels());
        } catch (InvalidSelectorException e) {
            LOG.debug(
                    "{} {} selects nothing, its selector is invalid: {}",
                    ownerType.kind(),
                    owner.objectName(),
                    e.getMessage());
            return false;
        }
    }
}

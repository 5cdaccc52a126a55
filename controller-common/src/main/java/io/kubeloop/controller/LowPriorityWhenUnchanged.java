/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.workqueue.AddOptions;
import io.kubeloop.workqueue.PriorityWorkQueue;
import java.util.Objects;

/**
 * A handler that queues the keys of changed objects with priority 0, and those of unchanged objects with {@link
 * PriorityWorkQueue#LOW_PRIORITY} (upstream: controller-runtime's {@code
 * handler.WithLowPriorityWhenUnchanged}).
 *
 * <p>Unchanged are the objects of the initial list, and updates with the same resource version: resyncs and relists.
 * So a controller that starts with 10,000 objects reacts at once to the one that changes.
 *
 * <p>Thread-safe; has no state of its own.
 *
 * @param <T> the type of the objects
 */
public final class LowPriorityWhenUnchanged<T extends KubeObject> implements ResourceEventHandler<T> {

    private static final AddOptions LOW = AddOptions.ofPriority(PriorityWorkQueue.LOW_PRIORITY);

    private final PriorityWorkQueue<? super ObjectName> queue;

    /** Creates a handler that adds to this queue. */
    public LowPriorityWhenUnchanged(PriorityWorkQueue<? super ObjectName> queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    @Override
    public void onAdd(T object, boolean isInInitialList) {
        queue.addWithOptions(object.objectName(), isInInitialList ? LOW : AddOptions.DEFAULT);
    }

    @Override
    public void onUpdate(T oldObject, T newObject) {
        boolean same = oldObject
                .metadata()
                .resourceVersion()
                .equals(newObject.metadata().resourceVersion());
        queue.addWithOptions(newObject.objectName(), same ? LOW : AddOptions.DEFAULT);
    }

    @Override
    public void onDelete(DeletedObject<T> deleted) {
        queue.addWithOptions(deleted.name(), AddOptions.DEFAULT);
    }
}

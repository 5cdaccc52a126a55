/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A handler that lags behind its cache, as one on a thread of its own does: it receives each event when the test
 * triggers it.
 *
 * @param <T> the type of the objects
 */
public final class LateHandler<T extends KubeObject> implements ResourceEventHandler<T> {

    private final Queue<Runnable> untold = new ArrayDeque<>();
    private final ResourceEventHandler<T> handler;

    /** Makes one that will pass on to this handler. */
    public LateHandler(ResourceEventHandler<T> handler) {
        this.handler = handler;
    }

    /** Delivers the oldest event; returns false if there is none. */
    public boolean tell() {
        Runnable oldest = untold.poll();
        if (oldest == null) {
            return false;
        }
        oldest.run();
        return true;
    }

    /** Delivers all events; returns whether there was one. */
    public boolean tellAll() {
        boolean told = false;
        while (tell()) {
            told = true;
        }
        return told;
    }

    @Override
    public void onAdd(T object, boolean isInInitialList) {
        untold.add(() -> handler.onAdd(object, isInInitialList));
    }

    @Override
    public void onUpdate(T old, T current) {
        untold.add(() -> handler.onUpdate(old, current));
    }

    @Override
    public void onDelete(DeletedObject<T> deleted) {
        untold.add(() -> handler.onDelete(deleted));
    }
}

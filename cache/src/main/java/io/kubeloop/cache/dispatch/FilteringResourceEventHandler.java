package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.function.Predicate;

/**
 * Passes only matching objects to another handler (upstream: {@code cache.FilteringResourceEventHandler}). As
 * thread-safe as that handler.
 */
public record FilteringResourceEventHandler<T extends KubeObject>(
        Predicate<? super T> matches, ResourceEventHandler<T> handler) implements ResourceEventHandler<T> {

    @Override
    public void onAdd(T object, boolean isInInitialList, EventCause cause) {
        if (matches.test(object)) {
            handler.onAdd(object, isInInitialList, cause);
        }
    }

    @Override
    public void onUpdate(T oldObject, T newObject, EventCause cause) {
        boolean before = matches.test(oldObject);
        boolean now = matches.test(newObject);
        if (before && now) {
            handler.onUpdate(oldObject, newObject, cause);
        } else if (now) {
            handler.onAdd(newObject, false, cause);
        } else if (before) {
            handler.onDelete(new DeletedObject.Observed<>(oldObject.objectName(), oldObject), cause);
        }
    }

    @Override
    public void onDelete(DeletedObject<T> deleted, EventCause cause) {
        T lastKnown = deleted.lastKnown();
        if (lastKnown == null || matches.test(lastKnown)) {
            handler.onDelete(deleted, cause);
        }
    }

    @Override
    public String handlerName() {
        return handler.handlerName();
    }
}

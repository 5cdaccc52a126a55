package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.InformerTrace;
import io.kubeloop.cache.InformerTrace.Change;
import io.kubeloop.cache.InformerTrace.Place;

/** Describes notifications for people who watch an informer. Holds no state. */
final class Passages {

    private Passages() {}

    /** Returns the passage of a notification about one object. */
    static <T extends KubeObject> InformerTrace of(Place place, Notification<T> notification, String handler) {
        if (notification instanceof Notification.Added<T> added) {
            return of(place, Change.ADDED, added.object(), added.cause(), handler);
        }
        if (notification instanceof Notification.Updated<T> updated) {
            return of(place, Change.UPDATED, updated.newObject(), updated.cause(), handler);
        }
        if (notification instanceof Notification.Unchanged<T> shown) {
            return of(place, Change.UNCHANGED, shown.newObject(), shown.cause(), handler);
        }
        if (notification instanceof Notification.Deleted<T> deletion) {
            DeletedObject<T> deleted = deletion.deleted();
            T last = deleted.lastKnown();
            boolean observed = deleted instanceof DeletedObject.Observed;
            return new InformerTrace(
                    place,
                    observed ? Change.DELETED : Change.TOMBSTONE,
                    deleted.name(),
                    last == null ? "" : last.metadata().resourceVersion(),
                    deletion.cause(),
                    handler);
        }
        throw new IllegalArgumentException("not about one object: " + notification);
    }

    private static InformerTrace of(Place place, Change change, KubeObject object, EventCause cause, String handler) {
        return new InformerTrace(
                place, change, object.objectName(), object.metadata().resourceVersion(), cause, handler);
    }
}

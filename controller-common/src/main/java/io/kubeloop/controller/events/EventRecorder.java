package io.kubeloop.controller.events;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import java.util.Map;

/**
 * Reports what happened to an object (upstream: {@code record.EventRecorder}).
 *
 * <p>Never blocks and never throws: an event that cannot be sent is dropped, since no controller may fail for want of being
 * heard (EV-01). Thread-safe.
 */
public interface EventRecorder {

    /** Drops everything. */
    EventRecorder NONE = (regarding, annotations, type, reason, message) -> {};

    /**
     * Reports an event with annotations.
     *
     * @param regarding the object it is about; see {@link ObjectReferences}
     * @param annotations of the event itself
     * @param type {@link EventType#NORMAL} or {@link EventType#WARNING}; any other is logged and not sent
     * @param reason for programs, in CamelCase, such as {@code SuccessfulCreate}
     * @param message for people
     */
    void annotatedEvent(
            ObjectReference regarding, Map<String, String> annotations, String type, String reason, String message);

    /** Reports an event. */
    default void event(ObjectReference regarding, String type, String reason, String message) {
        annotatedEvent(regarding, Map.of(), type, reason, message);
    }

    /** Reports an event about this object. */
    default <T extends KubeObject> void event(
            ResourceType<T> objectType, T object, String type, String reason, String message) {
        event(ObjectReferences.of(objectType, object), type, reason, message);
    }
}

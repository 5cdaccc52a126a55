/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import java.util.Map;

/**
 * Records events about objects (upstream: {@code record.EventRecorder}).
 *
 * <p>Never blocks and never throws: an event that cannot be sent is dropped, because a controller must not fail for
 * an event. Thread-safe.
 */
public interface EventRecorder {

    /** Drops all events. */
    EventRecorder NONE = (regarding, annotations, type, reason, message) -> {};

    /**
     * Records an event with annotations.
     *
     * @param regarding the object that the event is about; see {@link ObjectReferences}
     * @param annotations the annotations of the event itself
     * @param type {@link EventType#NORMAL} or {@link EventType#WARNING}; any other is logged and not sent
     * @param reason a machine-readable reason in CamelCase, such as {@code SuccessfulCreate}
     * @param message a human-readable description
     */
    void annotatedEvent(
            ObjectReference regarding, Map<String, String> annotations, String type, String reason, String message);

    /** Records an event without annotations; see {@link #annotatedEvent}. */
    default void event(ObjectReference regarding, String type, String reason, String message) {
        annotatedEvent(regarding, Map.of(), type, reason, message);
    }

    /** Records an event about this object; see {@link #annotatedEvent}. */
    default <T extends KubeObject> void event(
            ResourceType<T> objectType, T object, String type, String reason, String message) {
        event(ObjectReferences.of(objectType, object), type, reason, message);
    }
}

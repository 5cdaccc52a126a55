package io.kubeloop.controller.events;

import io.kubeloop.api.ObjectReference;
import org.jspecify.annotations.Nullable;

/**
 * Records events of {@code events.k8s.io/v1} about objects (upstream: {@code events.EventRecorder}).
 *
 * <p>Never blocks and never throws: an event that cannot be sent is dropped, because a controller must not fail for
 * an event. Thread-safe.
 */
@FunctionalInterface
public interface EventsV1Recorder {

    /** Drops all events. */
    EventsV1Recorder NONE = (regarding, related, type, reason, action, note) -> {};

    /**
     * Records an event. Equal events become a series. Events that differ only in the note are equal; the series keeps the first note.
     *
     * @param regarding the object that the event is about; see {@link ObjectReferences}. Events about cluster-scoped
     * objects go to the namespace {@code default}, which servers until v1.20 reject with 422 (kubernetes issue
     * 100119)
     * @param related a second object, such as the node that a pod was bound to; null if there is none
     * @param type {@link EventType#NORMAL} or {@link EventType#WARNING}; any other is logged and not sent
     * @param reason a machine-readable reason in CamelCase, such as {@code FailedScheduling}; 1 to 128 characters
     * @param action the machine-readable action that succeeded or failed, in CamelCase, such as {@code Scheduling}; 1
     * to 128 characters
     * @param note a human-readable description; cut to 1024 bytes, the server's limit
     */
    void event(
            ObjectReference regarding,
            @Nullable ObjectReference related,
            String type,
            String reason,
            String action,
            String note);
}

package io.kubeloop.controller.events;

import io.kubeloop.api.ObjectReference;
import org.jspecify.annotations.Nullable;

/**
 * Reports what happened to an object, as an event of {@code events.k8s.io/v1} (upstream: {@code events.EventRecorder}).
 *
 * <p>Never blocks and never throws: an event that cannot be sent is dropped, since no controller may fail for want of being
 * heard. Thread-safe.
 */
@FunctionalInterface
public interface EventsV1Recorder {

    /** Drops everything. */
    EventsV1Recorder NONE = (regarding, related, type, reason, action, note) -> {};

    /**
     * Reports an event. Equal ones become a series: the same but for the note, of which the first stays.
     *
     * @param regarding the object it is about; see {@link ObjectReferences}. Events about objects of the cluster go to the
     *     namespace {@code default}, which servers of v1.20 and older refuse with 422 (kubernetes issue 100119)
     * @param related a second object that took part, such as the node that a pod was bound to; null: none
     * @param type {@link EventType#NORMAL} or {@link EventType#WARNING}; any other is logged and not sent
     * @param reason why, for programs, in CamelCase, such as {@code FailedScheduling}; the server wants one of up to 128
     *     characters
     * @param action what was done or failed, for programs, in CamelCase, such as {@code Scheduling}; the server wants one of up
     *     to 128 characters
     * @param note for people; cut to the 1024 bytes that the server takes
     */
    void event(
            ObjectReference regarding,
            @Nullable ObjectReference related,
            String type,
            String reason,
            String action,
            String note);
}

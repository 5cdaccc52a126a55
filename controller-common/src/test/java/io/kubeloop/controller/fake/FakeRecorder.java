/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.controller.events.EventRecorder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers events (upstream: {@code record.FakeRecorder}). Thread-safe. */
public final class FakeRecorder implements EventRecorder {

    /**
     * An event.
     *
     * @param regarding what it is about
     * @param type Normal or Warning
     * @param reason for programs
     * @param message for people
     */
    public record Recorded(ObjectReference regarding, String type, String reason, String message) {

        /** Returns type, reason and message with spaces between, as the golden vectors have it. */
        public String text() {
            return type + " " + reason + " " + message;
        }
    }

    private final List<Recorded> events = new CopyOnWriteArrayList<>();

    @Override
    public void annotatedEvent(
            ObjectReference regarding, Map<String, String> annotations, String type, String reason, String message) {
        events.add(new Recorded(regarding, type, reason, message));
    }

    /** Returns what was recorded, in order. */
    public List<Recorded> events() {
        return List.copyOf(events);
    }
}

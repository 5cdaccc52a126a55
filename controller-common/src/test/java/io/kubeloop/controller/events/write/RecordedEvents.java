/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.correlation.EventCorrelator;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Records events of one pod, or of many pods, into a backlog, one second apart. */
final class RecordedEvents {

    private static final ObjectReference WEB = pod("web");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    final EventBacklog backlog = new EventBacklog(new EventCorrelator(EventCorrelatorOptions.DEFAULT, clock));
    private final DefaultEventRecorder recorder = new DefaultEventRecorder(EventSource.EMPTY, clock, backlog::add);

    void report(String message) {
        recorder.event(WEB, EventType.NORMAL, "Tested", message);
        clock.advance(Duration.ofSeconds(1));
    }

    /** Reports one event of each of so many other pods. */
    void reportAboutOthers(int pods) {
        for (int i = 0; i < pods; i++) {
            recorder.event(pod("other-" + i), EventType.NORMAL, "Tested", "waits");
        }
    }

    private static ObjectReference pod(String name) {
        return ObjectReferenceBuilder.builder()
                .apiVersion("v1")
                .kind("Pod")
                .namespace("shop")
                .name(name)
                .build();
    }

    /** Returns what is to be written next; there must be something. */
    Event poll() {
        return Objects.requireNonNull(backlog.poll());
    }
}

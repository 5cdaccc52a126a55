/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import org.junit.jupiter.api.Test;

/** What waits to be written while equal events go on coming. */
class EventBacklogTest {

    private final RecordedEvents reported = new RecordedEvents();
    private final EventBacklog backlog = reported.backlog;

    private void report(int times) {
        for (int i = 0; i < times; i++) {
            reported.report("hello");
        }
    }

    private void serverHasStored(Event event, String resourceVersion) {
        backlog.updateState(event.withMetadata(ObjectMetaBuilder.builder(event.metadata())
                .resourceVersion(resourceVersion)
                .build()));
    }

    @Test
    void updateState_countedUpSinceTheWrite_countingGoesOnFromTheLast() {
        report(6);
        Event creation = reported.poll();
        assertThat(creation.count()).isEqualTo(1);
        serverHasStored(creation, "101");
        report(1);
        Event patch = reported.poll();
        assertThat(patch.count()).isEqualTo(7);
        assertThat(patch.firstTimestamp()).isEqualTo(creation.firstTimestamp());
        assertThat(patch.metadata().name()).isEqualTo(creation.metadata().name());
        assertThat(patch.metadata().resourceVersion()).isEqualTo("101");
        assertThat(backlog.poll()).isNull();
    }

    @Test
    void updateState_nothingCountedSince_countingGoesOnFromWhatIsStored() {
        report(1);
        Event creation = reported.poll();
        serverHasStored(creation, "101");
        report(1);
        assertThat(reported.poll().count()).isEqualTo(2);
    }

    @Test
    void updateState_storedCountIsGreater_isBelieved() {
        report(6);
        reported.poll();
        Event patch = reported.poll();
        Event more = EventBuilder.builder(patch).count(9).build();
        serverHasStored(more, "102");
        report(1);
        assertThat(reported.poll().count()).isEqualTo(10);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.fake.FakeRecorder;
import java.util.List;
import java.util.Map;

/** Records the events of one step at a time. For one thread. */
final class RecorderSwitch implements EventRecorder {

    private FakeRecorder current = new FakeRecorder();

    void renew() {
        current = new FakeRecorder();
    }

    List<String> texts() {
        return current.events().stream()
                .map(FakeRecorder.Recorded::text)
                .sorted()
                .toList();
    }

    @Override
    public void annotatedEvent(
            ObjectReference regarding, Map<String, String> annotations, String type, String reason, String message) {
        current.annotatedEvent(regarding, annotations, type, reason, message);
    }
}

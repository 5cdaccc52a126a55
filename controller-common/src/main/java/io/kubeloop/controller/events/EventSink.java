/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Event;

/**
 * Stores events (upstream: {@code record.EventSink}). One thread calls it. Each call blocks until the event is stored;
 * an interrupt asks it to end early.
 */
public interface EventSink {

    /** Stores a new event and returns it as stored. */
    Event create(Event event);

    /**
     * Changes a stored event and returns it as stored.
     *
     * @param event identifies the stored event by namespace and name
     * @param patch a strategic merge patch
     */
    Event patch(Event event, String patch);

    /** Returns a sink that stores events on the client's server, in the core group. */
    static EventSink of(KubeClient client) {
        ResourceClient<Event> events = client.resource(ResourceTypes.EVENTS);
        return new EventSink() {
            @Override
            public Event create(Event event) {
                return events.create(event);
            }

            @Override
            public Event patch(Event event, String patch) {
                return events.patch(event.objectName(), Patch.strategicMerge(patch));
            }
        };
    }
}

package io.kubeloop.controller.events;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.events.EventsV1Event;

/**
 * Stores events of {@code events.k8s.io/v1} (upstream: {@code events.EventSink}). Several threads call it, never two
 * for the same event. Each call blocks until the event is stored; an interrupt asks it to end early.
 */
public interface EventsV1Sink {

    /** Stores a new event. */
    void create(EventsV1Event event);

    /**
     * Changes a stored event.
     *
     * @param event identifies the stored event by namespace and name
     * @param patch a strategic merge patch
     */
    void patch(EventsV1Event event, String patch);

    /** Returns a sink that stores events on the client's server. */
    static EventsV1Sink of(KubeClient client) {
        ResourceClient<EventsV1Event> events = client.resource(ResourceTypes.EVENTS_V1);
        return new EventsV1Sink() {
            @Override
            public void create(EventsV1Event event) {
                events.create(event);
            }

            @Override
            public void patch(EventsV1Event event, String patch) {
                events.patch(event.objectName(), Patch.strategicMerge(patch));
            }
        };
    }
}

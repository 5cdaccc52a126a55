package io.kubeloop.controller.events;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.TransportException;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;

/**
 * Writes events of {@code events.k8s.io/v1} to servers that serve them, and events of the core group to others
 * (upstream: {@code EventBroadcasterAdapter} of {@code client-go/tools/events}). Thread-safe. {@link #of} and {@link
 * #close} block.
 */
public final class EventBroadcasterAdapter implements AutoCloseable {

    private final boolean isEventsV1;
    private final BiFunction<String, String, EventsV1Recorder> recorders;
    private final Runnable closer;

    private EventBroadcasterAdapter(
            boolean isEventsV1, BiFunction<String, String, EventsV1Recorder> recorders, Runnable closer) {
        this.isEventsV1 = isEventsV1;
        this.recorders = recorders;
        this.closer = closer;
    }

    /**
     * Queries which group the server serves, and starts a broadcaster for it. Blocks until the server responds; the client's timeouts limit it.
     *
     * @param client sends the query and the events; it is not closed
     * @param clock the time of events
     * @param threads makes the broadcaster's threads
     * @throws ApiException if the server rejects the query
     * @throws TransportException if no response arrives
     */
    public static EventBroadcasterAdapter of(KubeClient client, Clock clock, ThreadFactory threads) {
        if (isServed(client, ResourceTypes.EVENTS_V1)) {
            EventsV1Broadcaster broadcaster = new EventsV1Broadcaster(EventsV1Sink.of(client), clock, threads);
            return new EventBroadcasterAdapter(true, broadcaster::recorder, broadcaster::close);
        }
        EventBroadcaster broadcaster =
                new EventBroadcaster(EventSink.of(client), EventCorrelatorOptions.DEFAULT, clock, threads);
        return new EventBroadcasterAdapter(
                false, (controller, instance) -> inCore(broadcaster.recorder(controller)), broadcaster::close);
    }

    private static boolean isServed(KubeClient client, ResourceType<?> type) {
        ApiRequest question = ApiRequest.get("/apis/" + type.apiVersion(), Map.of());
        try (ApiResponse answer = client.transport().execute(question)) {
            if (answer.code() == 200 || answer.code() == 404) {
                return answer.code() == 200;
            }
            throw new ApiException(
                    question.describe(),
                    Status.failure(answer.code(), "", "the query whether the server serves this group failed"),
                    null);
        }
    }

    /** Events of the core group have no related object and no action. */
    private static EventsV1Recorder inCore(EventRecorder recorder) {
        return (regarding, related, type, reason, action, note) -> recorder.event(regarding, type, reason, note);
    }

    /** Returns true if events are written to {@code events.k8s.io/v1}, false if to the core group. */
    public boolean isEventsV1() {
        return isEventsV1;
    }

    /**
     * Returns a recorder for a controller.
     *
     * @param controller a qualified name, such as {@code example.com/scaler}
     * @param instance identifies this process; omitted from events of the core group
     */
    public EventsV1Recorder recorder(String controller, String instance) {
        return recorders.apply(controller, instance);
    }

    /** Tries each pending write once, and ends the threads. Blocks for at most 5 s; an interrupt ends the wait and stays set. Safe to call twice. */
    @Override
    public void close() {
        closer.run();
    }
}

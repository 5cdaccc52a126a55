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
 * Reports events in the form of {@code events.k8s.io/v1} to servers that have it, and in that of the core group to others
 * (upstream: {@code EventBroadcasterAdapter} of {@code client-go/tools/events}; EN-05). Thread-safe.
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
     * Asks the server what it has, and starts a broadcaster for that. Blocks.
     *
     * @param client for the question and the events; it is not closed
     * @param clock the time of events
     * @param threads makes the broadcaster's threads
     * @throws ApiException if the server refuses to tell
     * @throws TransportException if it does not answer
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
                    question.describe(), Status.failure(answer.code(), "", "does the server have this group?"), null);
        }
    }

    /** The core group has no place for a related object and an action. */
    private static EventsV1Recorder inCore(EventRecorder recorder) {
        return (regarding, related, type, reason, action, note) -> recorder.event(regarding, type, reason, note);
    }

    /** Returns whether events go to {@code events.k8s.io/v1}; false: to the core group. */
    public boolean isEventsV1() {
        return isEventsV1;
    }

    /**
     * Returns a recorder that reports in the name of a controller.
     *
     * @param controller a qualified name, such as {@code example.com/scaler}
     * @param instance tells apart those that run it; left out where events go to the core group
     */
    public EventsV1Recorder recorder(String controller, String instance) {
        return recorders.apply(controller, instance);
    }

    /** Gives the events that wait one try each, and ends the threads. Blocks, for 5 s at most. Safe to call twice. */
    @Override
    public void close() {
        closer.run();
    }
}

package io.kubeloop.controller.events;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.events.EventsV1Event;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the calls, and responds as scripted. Thread-safe. */
public final class ScriptedSeriesSink implements EventsV1Sink {

    /** Creates a sink that accepts every call. */
    public ScriptedSeriesSink() {}

    /** What was called, such as {@code create web}, and {@code create web x2} where it has a series already. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    private volatile Answer answer = call -> {};

    /** Takes a call or throws. */
    @FunctionalInterface
    public interface Answer {
        void to(String call);
    }

    public void answer(Answer answer) {
        this.answer = answer;
    }

    public void fail(RuntimeException problem) {
        answer(call -> {
            throw problem;
        });
    }

    @Override
    public void create(EventsV1Event event) {
        call("create " + event.regarding().name()
                + (event.series() == null ? "" : " x" + event.series().count()));
    }

    @Override
    public void patch(EventsV1Event event, String patch) {
        call("patch " + event.regarding().name() + " " + patch);
    }

    private void call(String call) {
        calls.add(call);
        answer.to(call);
    }

    /** Returns the call that stores this count of events, the last of them at this time of the day. */
    public static String patched(String pod, int count, String time) {
        return "patch " + pod + " {\"series\":{\"count\":" + count + ",\"lastObservedTime\":\"2026-01-01T" + time
                + ".000000Z\"}}";
    }

    public static void report(EventsV1Recorder recorder, String pod) {
        recorder.event(pod(pod), null, EventType.NORMAL, "Tested", "Testing", "hello");
    }

    public static ObjectReference pod(String name) {
        return ObjectReferenceBuilder.builder()
                .apiVersion("v1")
                .kind("Pod")
                .namespace("shop")
                .name(name)
                .build();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.Status;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import io.kubeloop.testing.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sink of the golden vectors: stores events, fails as scripted, records the calls in the vectors' form. */
final class ScriptedSink implements EventSink {

    private static final class Fault {

        private final Map<String, Object> json;
        private int left;

        Fault(Map<String, Object> json) {
            this.json = json;
            this.left = ((BigDecimal) json.get("times")).intValueExact();
        }
    }

    private final Map<String, Event> stored = new HashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private List<Object> calls = new ArrayList<>();
    private int resourceVersion = 100;

    /** Replaces the faults of the step before. */
    void setFaults(List<Map<String, Object>> json) {
        faults.clear();
        json.stream().map(Fault::new).forEach(faults::add);
    }

    void dropStored() {
        stored.clear();
    }

    List<Object> takeCalls() {
        List<Object> taken = calls;
        calls = new ArrayList<>();
        return taken;
    }

    @Override
    public Event create(Event event) {
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("verb", "create");
        call.put("event", toJson(event));
        calls.add(call);
        failIfTold("create", call);
        return store(event);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Event patch(Event event, String patch) {
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("verb", "patch");
        call.put("namespace", event.metadata().namespace());
        call.put("name", event.metadata().name());
        call.put("patch", patch);
        calls.add(call);
        failIfTold("patch", call);
        Event old = stored.get(event.metadata().name());
        if (old == null) {
            call.put("failed", true);
            throw new ApiException("PATCH event", Status.failure(404, "NotFound", "not found"), null);
        }
        Map<String, Object> changes = (Map<String, Object>) Json.parse(patch);
        return store(EventBuilder.builder(old)
                .count(((BigDecimal) changes.get("count")).intValueExact())
                .lastTimestamp(Time.parse((String) changes.get("lastTimestamp")))
                .message((String) changes.getOrDefault("message", old.message()))
                .build());
    }

    private Event store(Event event) {
        Event now = event.withMetadata(ObjectMetaBuilder.builder(event.metadata())
                .resourceVersion(Integer.toString(++resourceVersion))
                .build());
        stored.put(now.metadata().name(), now);
        return now;
    }

    private void failIfTold(String verb, Map<String, Object> call) {
        for (Fault fault : faults) {
            if (fault.left > 0 && fault.json.get("verb").equals(verb)) {
                fault.left--;
                call.put("failed", true);
                throw error(fault.json);
            }
        }
    }

    private static RuntimeException error(Map<String, Object> fault) {
        String kind = (String) fault.get("kind");
        return switch (kind) {
            case "status" ->
                new ApiException(
                        "event",
                        Status.failure(
                                ((BigDecimal) fault.get("code")).intValueExact(), (String) fault.get("reason"), ""),
                        null);
            case "construction" ->
                new TransportException(TransportException.Kind.CONFIGURATION, "cannot be built", null);
            case "unexpectedObject" -> new DecodeException("not an event", null);
            case "plain" -> new TransportException(TransportException.Kind.BROKEN, "connection broke", null);
            default -> throw new IllegalArgumentException("unknown fault " + kind);
        };
    }

    private static Map<String, @Nullable Object> toJson(Event event) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        EventVectorObjects.put(metadata, "name", event.metadata().name());
        EventVectorObjects.put(metadata, "namespace", event.metadata().namespace());
        EventVectorObjects.put(metadata, "resourceVersion", event.metadata().resourceVersion());
        if (!event.metadata().annotations().isEmpty()) {
            metadata.put("annotations", event.metadata().annotations());
        }
        Map<String, Object> source = new LinkedHashMap<>();
        EventVectorObjects.put(source, "component", event.source().component());
        EventVectorObjects.put(source, "host", event.source().host());
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("metadata", metadata);
        json.put("involvedObject", EventVectorObjects.toJson(event.involvedObject()));
        EventVectorObjects.put(json, "reason", event.reason());
        EventVectorObjects.put(json, "message", event.message());
        json.put("source", source);
        json.put("firstTimestamp", String.valueOf(event.firstTimestamp()));
        json.put("lastTimestamp", String.valueOf(event.lastTimestamp()));
        json.put("count", BigDecimal.valueOf(event.count()));
        json.put("type", event.type());
        json.put("eventTime", event.eventTime());
        json.put("reportingComponent", event.reportingController());
        json.put("reportingInstance", event.reportingInstance());
        return json;
    }
}

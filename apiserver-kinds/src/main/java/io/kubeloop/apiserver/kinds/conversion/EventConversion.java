package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.apiserver.machinery.Conversion;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts events of the group {@code events.k8s.io} to and from events of the core group. Other members are the same. */
final class EventConversion implements Conversion {

    /** The members by their names in the core group. */
    private static final Map<String, String> NAMES = Map.of(
            "involvedObject", "regarding",
            "message", "note",
            "source", "deprecatedSource",
            "firstTimestamp", "deprecatedFirstTimestamp",
            "lastTimestamp", "deprecatedLastTimestamp",
            "count", "deprecatedCount",
            "reportingComponent", "reportingController");

    private static final Map<String, String> CORE_NAMES = new LinkedHashMap<>();

    static {
        NAMES.forEach((core, events) -> CORE_NAMES.put(events, core));
    }

    @Override
    public JsonObject toStorage(JsonObject served) {
        return renamed(served, CORE_NAMES).with("apiVersion", "v1");
    }

    @Override
    public JsonObject fromStorage(JsonObject stored) {
        return renamed(stored, NAMES).with("apiVersion", "events.k8s.io/v1");
    }

    private static JsonObject renamed(JsonObject object, Map<String, String> names) {
        JsonObject.Builder result = JsonObject.builder();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            result.put(names.getOrDefault(member.getKey(), member.getKey()), member.getValue());
        }
        return result.build();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of the resources that are served in several versions. */
public final class StorageForms {

    /** The annotations in which version 1 of autoscalers keeps what it has no fields for. */
    public static final List<String> AUTOSCALER_ANNOTATIONS = AutoscalerConversion.ANNOTATIONS;

    private StorageForms() {}

    /** Returns the form in which the objects of a served version are stored. */
    public static StorageForm of(ResourceType<?> served) {
        return switch (served.apiVersion() + "/" + served.plural()) {
            case "events.k8s.io/v1/events" -> new StorageForm("events", "v1", new EventConversion());
            case "autoscaling/v1/horizontalpodautoscalers" ->
                new StorageForm(served.toString(), "autoscaling/v2", new AutoscalerConversion());
            default -> StorageForm.of(served);
        };
    }

    /**
     * Converts events of the group {@code events.k8s.io} to and from events of the core group. Other members are the
     * same.
     */
    private static final class EventConversion implements Conversion {

        /** The fields for selectors that both groups have. */
        private static final Set<String> SAME_FIELDS = Set.of("reason", "type", "metadata.name", "metadata.namespace");

        /** The members by their names in the core group. */
        private static final Map<String, String> NAMES = Map.of(
                "involvedObject", "regarding",
                "message", "note",
                "source", "deprecatedSource",
                "firstTimestamp", "deprecatedFirstTimestamp",
                "lastTimestamp", "deprecatedLastTimestamp",
                "count", "deprecatedCount",
                "reportingComponent", "reportingController");

        /** The members that only the core group has in any case. */
        private static final List<String> REPORTER = List.of("reportingComponent", "reportingInstance");

        private static final Map<String, String> CORE_NAMES = new LinkedHashMap<>();

        static {
            NAMES.forEach((core, events) -> CORE_NAMES.put(events, core));
        }

        @Override
        public JsonObject toStorage(JsonObject served) {
            JsonObject core = renamed(served, CORE_NAMES).with("apiVersion", "v1");
            for (String reporter : REPORTER) {
                core = core.has(reporter) ? core : core.with(reporter, "");
            }
            return core;
        }

        @Override
        public JsonObject fromStorage(JsonObject stored) {
            JsonObject core = stored;
            for (String reporter : REPORTER) {
                core = core.string(reporter).isEmpty() ? core.without(reporter) : core;
            }
            return renamed(core, NAMES).with("apiVersion", "events.k8s.io/v1");
        }

        @Override
        public @Nullable String storageField(String served) {
            if (served.equals("reportingController")) {
                return "reportingComponent";
            }
            if (served.startsWith("regarding.")) {
                return "involvedObject." + served.substring("regarding.".length());
            }
            return SAME_FIELDS.contains(served) ? served : null;
        }

        private static JsonObject renamed(JsonObject object, Map<String, String> names) {
            JsonObject.Builder result = JsonObject.builder();
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                result.put(names.getOrDefault(member.getKey(), member.getKey()), member.getValue());
            }
            return result.build();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Objects of the golden vectors as far as references need them, and references as the vectors write them. */
final class EventVectorObjects {

    private EventVectorObjects() {}

    private record Any(ObjectMeta metadata, UnknownFields unknownFields) implements KubeObject {

        @Override
        public Any withMetadata(ObjectMeta metadata) {
            return new Any(metadata, unknownFields);
        }
    }

    @SuppressWarnings("unchecked")
    static ObjectReference reference(Map<String, Object> object, String fieldPath) {
        ResourceType<?> type = type((String) object.get("apiVersion"), (String) object.get("kind"));
        Map<String, String> json = (Map<String, String>) object.get("metadata");
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .name(json.get("name"))
                .namespace(json.get("namespace"))
                .uid(json.get("uid"))
                .resourceVersion(json.get("resourceVersion"))
                .build();
        return ObjectReferences.of(type, new Any(metadata, UnknownFields.NONE), fieldPath);
    }

    /** Returns one of ours, or one as a client makes it up for what it has no class for. */
    private static ResourceType<?> type(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return ResourceTypes.all().stream()
                .<ResourceType<?>>map(type -> type)
                .filter(type -> type.kind().equals(kind) && type.apiVersion().equals(apiVersion))
                .findFirst()
                .orElseGet(() -> ResourceTypes.generic(
                        apiVersion.substring(0, Math.max(0, slash)),
                        apiVersion.substring(slash + 1),
                        kind.toLowerCase(Locale.ROOT) + "s",
                        kind,
                        ResourceType.Scope.NAMESPACED));
    }

    static Map<String, Object> toJson(ObjectReference reference) {
        Map<String, Object> json = new LinkedHashMap<>();
        put(json, "apiVersion", reference.apiVersion());
        put(json, "kind", reference.kind());
        put(json, "namespace", reference.namespace());
        put(json, "name", reference.name());
        put(json, "uid", reference.uid());
        put(json, "resourceVersion", reference.resourceVersion());
        put(json, "fieldPath", reference.fieldPath());
        return json;
    }

    static void put(Map<String, ? super String> json, String member, String value) {
        if (!value.isEmpty()) {
            json.put(member, value);
        }
    }
}

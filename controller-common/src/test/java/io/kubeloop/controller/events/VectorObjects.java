package io.kubeloop.controller.events;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects of the golden vectors as far as references need them, and references as the vectors write them. */
final class VectorObjects {

    private VectorObjects() {}

    private record Any(ObjectMeta metadata, UnknownFields unknownFields) implements KubeObject {

        @Override
        public Any withMetadata(ObjectMeta metadata) {
            return new Any(metadata, unknownFields);
        }
    }

    private static ResourceType<?> generic(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return ResourceTypes.generic(
                apiVersion.substring(0, Math.max(slash, 0)),
                apiVersion.substring(slash + 1),
                "things",
                kind,
                ResourceType.Scope.NAMESPACED);
    }

    @SuppressWarnings("unchecked")
    static ObjectReference reference(Map<String, Object> object, String fieldPath) {
        ResourceType<?> type = ResourceTypes.all().stream()
                .filter(t ->
                        t.kind().equals(object.get("kind")) && t.apiVersion().equals(object.get("apiVersion")))
                .findFirst()
                .orElseGet(() -> generic((String) object.get("apiVersion"), (String) object.get("kind")));
        Map<String, String> json = (Map<String, String>) object.get("metadata");
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .name(json.get("name"))
                .namespace(json.get("namespace"))
                .uid(json.get("uid"))
                .resourceVersion(json.get("resourceVersion"))
                .build();
        return ObjectReferences.of(type, new Any(metadata, UnknownFields.NONE), fieldPath);
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

    static void put(Map<String, Object> json, String member, String value) {
        if (!value.isEmpty()) {
            json.put(member, value);
        }
    }
}

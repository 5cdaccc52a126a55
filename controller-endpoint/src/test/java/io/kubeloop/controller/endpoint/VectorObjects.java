package io.kubeloop.controller.endpoint;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Objects of the golden vectors, to and from records. */
final class VectorObjects {

    static final JsonCodec CODEC = JsonCodec.standard();

    private VectorObjects() {}

    static <T extends KubeObject> T read(ResourceType<T> type, Object json) {
        byte[] bytes = Json.write(json).getBytes(StandardCharsets.UTF_8);
        return CODEC.decode(type, new ByteArrayInputStream(bytes));
    }

    @SuppressWarnings("unchecked")
    static <T extends KubeObject> List<T> readAll(ResourceType<T> type, Object jsons) {
        return ((List<Object>) jsons).stream().map(json -> read(type, json)).toList();
    }

    /** Returns the object as JSON, without kind and version, as the vectors have it. */
    static <T extends KubeObject> Map<String, Object> write(ResourceType<T> type, T object) {
        Map<String, Object> json = json(new String(CODEC.encode(type, object), StandardCharsets.UTF_8));
        json.remove("kind");
        json.remove("apiVersion");
        return json;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> json(String text) {
        return (Map<String, Object>) Json.parse(text);
    }

    /**
     * Returns Endpoints with subsets and their ports in one order: upstream's is that of a digest. Addresses stay in the order
     * they have.
     */
    @SuppressWarnings("unchecked")
    static Map<String, Object> unordered(Map<String, Object> endpoints) {
        Map<String, Object> copy = new LinkedHashMap<>(endpoints);
        for (String member : List.of("subsets", "subsetSummary")) {
            if (endpoints.get(member) instanceof List<?> subsets) {
                copy.put(
                        member,
                        sorted((List<Object>) subsets).stream()
                                .map(subset -> withSortedPorts((Map<String, Object>) subset))
                                .sorted(Comparator.comparing(VectorObjects::canonicalText))
                                .toList());
            }
        }
        return copy;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> withSortedPorts(Map<String, Object> subset) {
        Map<String, Object> copy = new LinkedHashMap<>(subset);
        copy.computeIfPresent("ports", (name, ports) -> sorted((List<Object>) ports));
        return copy;
    }

    private static List<Object> sorted(List<Object> elements) {
        List<Object> sorted = new ArrayList<>(elements);
        sorted.sort(Comparator.comparing(VectorObjects::canonicalText));
        return sorted;
    }

    private static String canonicalText(Object json) {
        return Json.write(canonical(json));
    }

    private static Object canonical(Object json) {
        if (json instanceof Map<?, ?> members) {
            Map<Object, Object> byName = new TreeMap<>();
            members.forEach((name, value) -> byName.put(name, canonical(value)));
            return byName;
        }
        return json instanceof List<?> elements
                ? elements.stream().map(VectorObjects::canonical).toList()
                : json;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Objects of the golden vectors, to and from records. */
final class EndpointVectorObjects {

    static final JsonCodec CODEC = JsonCodec.standard();

    private EndpointVectorObjects() {}

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
}

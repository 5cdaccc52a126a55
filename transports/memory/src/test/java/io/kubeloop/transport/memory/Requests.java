/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Short methods for tests that send plain requests to a server. Thread-safe. */
public final class Requests {

    /** A response that has been read: its code, its object and its warnings. */
    public record Reply(int code, JsonObject body, List<String> warnings) {

        /** Returns the {@code reason} of a status. */
        public String reason() {
            return body.string("reason");
        }

        /** Returns the {@code message} of a status. */
        public String message() {
            return body.string("message");
        }

        /** Returns {@code metadata.resourceVersion}. */
        public String version() {
            return body.string("metadata", "resourceVersion");
        }

        /** Returns this reply; fails unless its code is 2xx. */
        public Reply ok() {
            if (code < 200 || code > 299) {
                throw new AssertionError("expected success, got " + code + ": " + body);
            }
            return this;
        }
    }

    private final Transport transport;

    /** Sends requests over this transport. */
    public Requests(Transport transport) {
        this.transport = transport;
    }

    /** Sends a request. The path may have a query; single quotes in the body become double quotes. */
    public Reply send(String method, String pathAndQuery, String body) {
        return send(method, pathAndQuery, ApiRequest.JSON, body);
    }

    /** Sends a request with a body of this type. */
    public Reply send(String method, String pathAndQuery, String contentType, String body) {
        ApiRequest.Body content = body == null
                ? null
                : new ApiRequest.Body(contentType, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        try (ApiResponse response =
                transport.execute(ApiRequest.of(method, path(pathAndQuery), query(pathAndQuery), content))) {
            return new Reply(
                    response.code(),
                    JsonObject.parse(response.body().readAllBytes()),
                    response.headers().getOrDefault("warning", List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a request without a body; its path may have a query. */
    public static ApiRequest request(String method, String pathAndQuery) {
        return ApiRequest.of(method, path(pathAndQuery), query(pathAndQuery), null);
    }

    public Reply get(String pathAndQuery) {
        return send("GET", pathAndQuery, null);
    }

    public Reply post(String path, String body) {
        return send("POST", path, body);
    }

    public Reply put(String path, JsonObject body) {
        return send("PUT", path, body.toString());
    }

    public Reply delete(String path) {
        return send("DELETE", path, null);
    }

    public Reply delete(String path, String options) {
        return send("DELETE", path, options);
    }

    /** Opens a watch; {@code watch=true} is added. */
    public ApiStream watch(String pathAndQuery) {
        Map<String, String> query = new LinkedHashMap<>(query(pathAndQuery));
        query.put("watch", "true");
        return transport.stream(ApiRequest.get(path(pathAndQuery), query));
    }

    /** Returns the next frame, which must exist. */
    public static JsonObject frame(ApiStream stream) {
        return JsonObject.parse(Objects.requireNonNull(stream.next(), "the stream has ended"));
    }

    /** Returns the next frame as {@code TYPE name@version}. */
    public static String event(ApiStream stream) {
        JsonObject frame = frame(stream);
        JsonObject metadata = frame.object("object", "metadata");
        return frame.string("type") + " " + metadata.string("name") + "@" + metadata.string("resourceVersion");
    }

    private static String path(String pathAndQuery) {
        int mark = pathAndQuery.indexOf('?');
        return mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
    }

    private static Map<String, String> query(String pathAndQuery) {
        Map<String, String> query = new LinkedHashMap<>();
        int mark = pathAndQuery.indexOf('?');
        if (mark >= 0) {
            for (String parameter : pathAndQuery.substring(mark + 1).split("&", -1)) {
                int equals = parameter.indexOf('=');
                query.put(parameter.substring(0, equals), parameter.substring(equals + 1));
            }
        }
        return query;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Short methods for tests that call a server without a transport. Thread-safe. */
record Calls(ApiServer server) {

    /** A response that is one document. */
    record Answer(int code, JsonObject body, List<String> warnings) {

        private static Answer of(ServerResponse response) {
            ServerResponse.Document document = (ServerResponse.Document) response;
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            document.pieces()
                    .forEach(piece ->
                            whole.write(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining()));
            return new Answer(document.code(), JsonObject.parse(whole.toByteArray()), document.warnings());
        }

        String reason() {
            return body.string("reason");
        }

        String message() {
            return body.string("message");
        }

        String version() {
            return body.string("metadata", "resourceVersion");
        }

        /** Returns this answer; fails unless its code is 2xx. */
        Answer ok() {
            if (code < 200 || code > 299) {
                throw new AssertionError("expected success, got " + code + ": " + body);
            }
            return this;
        }
    }

    /** A response to the request for a watch: its frames, or one document if the server refuses it. */
    record Watch(ServerResponse response) implements AutoCloseable {

        int code() {
            return response instanceof ServerResponse.Frames ? 200 : Answer.of(response).code;
        }

        /** Returns the next frame, or the document; null at the end. */
        @Nullable
        JsonObject next() {
            try {
                WatchFrame frame = ((ServerResponse.Frames) response).next();
                return frame == null ? null : JsonObject.parse(frame.json());
            } catch (InterruptedException e) {
                throw new AssertionError("the thread was interrupted", e);
            }
        }

        /** Returns the next frame, which must exist, or the document. */
        JsonObject frame() {
            return response instanceof ServerResponse.Document
                    ? Answer.of(response).body
                    : Objects.requireNonNull(next(), "the watch has ended");
        }

        /** Returns the next frame as {@code TYPE name@version}. */
        String event() {
            JsonObject frame = frame();
            JsonObject metadata = frame.object("object", "metadata");
            return frame.string("type") + " " + metadata.string("name") + "@" + metadata.string("resourceVersion");
        }

        @Override
        public void close() {
            if (response instanceof ServerResponse.Frames frames) {
                frames.close();
            }
        }
    }

    private static ApiRequest request(String method, String pathAndQuery, ApiRequest.@Nullable Body body) {
        String[] parts = pathAndQuery.split("\\?", 2);
        Map<String, String> query = new LinkedHashMap<>();
        if (parts.length == 2) {
            for (String parameter : parts[1].split("&", -1)) {
                String[] pair = parameter.split("=", 2);
                query.put(pair[0], pair[1]);
            }
        }
        return ApiRequest.of(method, parts[0], query, body);
    }

    /** Sends a request. Single quotes in the body become double quotes. */
    Answer send(String method, String pathAndQuery, String contentType, @Nullable String body) {
        ApiRequest.Body content = body == null
                ? null
                : new ApiRequest.Body(contentType, body.replace('\'', '"').getBytes(UTF_8));
        return Answer.of(server.handle(request(method, pathAndQuery, content)));
    }

    Answer send(String method, String pathAndQuery, @Nullable String body) {
        return send(method, pathAndQuery, ApiRequest.JSON, body);
    }

    Answer get(String pathAndQuery) {
        return send("GET", pathAndQuery, null);
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Answer put(String path, JsonObject body) {
        return send("PUT", path, body.toString());
    }

    Answer delete(String path) {
        return send("DELETE", path, null);
    }

    Answer delete(String path, String options) {
        return send("DELETE", path, options);
    }

    /** Opens a watch of a path that says so itself, or whose query does. */
    Watch open(String pathAndQuery) {
        return new Watch(server.handle(request("GET", pathAndQuery, null)));
    }

    /** Opens a watch; {@code watch=true} is added. */
    Watch watch(String pathAndQuery) {
        return open(pathAndQuery + (pathAndQuery.contains("?") ? "&" : "?") + "watch=true");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to an API server, independent of the transport. Immutable, except for the bytes of the body.
 *
 * @param method the HTTP method, in upper case
 * @param path the absolute path, unescaped, such as {@code /api/v1/namespaces/shop/pods}; object names cannot contain
 *     characters that need escapes
 * @param query query parameters, unescaped, in order
 * @param accept the accepted media types
 * @param body the content to send, or null
 * @param deadline the time limit of the whole call, from its start; null means the transport's default. A stream that
 *     is still open then ends with {@link TransportException.Kind#TIMEOUT}. Longer limits than 100 years are
 *     shortened to 100 years, so no timer overflows
 */
@RecordBuilder
public record ApiRequest(
        String method,
        String path,
        Map<String, String> query,
        String accept,
        @Nullable Body body,
        @Nullable Duration deadline) {

    /** The media type of JSON, the default. */
    public static final String JSON = "application/json";

    /** The media type of protocol buffers. A server uses it only if the request accepts it. */
    public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Returns whether a {@code Content-Type}, with or without parameters, is {@link #PROTOBUF}. */
    public static boolean isProtobuf(String contentType) {
        return contentType.toLowerCase(Locale.ROOT).startsWith(PROTOBUF);
    }

    /** Copies the query and limits the deadline. A null query is empty, and a null accept is JSON. */
    public ApiRequest {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(path, "path");
        query = query == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(query));
        accept = accept == null ? JSON : accept;
        deadline = deadline != null && deadline.compareTo(LONGEST) > 0 ? LONGEST : deadline;
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path must be absolute, got \"" + path + "\"");
        }
    }

    /** Returns a GET request without body. */
    public static ApiRequest get(String path, Map<String, String> query) {
        return new ApiRequest("GET", path, query, JSON, null, null);
    }

    /** Returns a request that accepts JSON, with this body or none. */
    public static ApiRequest of(String method, String path, Map<String, String> query, @Nullable Body body) {
        return new ApiRequest(method, path, query, JSON, body, null);
    }

    /** Returns method and path, for messages. Query values are left out, because they may be long. */
    public String describe() {
        return method + " " + path;
    }

    /**
     * The content of a request.
     *
     * @param contentType its media type
     * @param bytes the content; not copied, so the caller must not change it afterwards
     */
    public record Body(String contentType, byte[] bytes) {

        /** Returns a JSON body. */
        public static Body json(byte[] bytes) {
            return new Body(JSON, bytes);
        }
    }
}

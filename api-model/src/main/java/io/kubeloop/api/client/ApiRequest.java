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
 * One request to an API server, before any transport has touched it.
 *
 * @param method the HTTP method, in capitals
 * @param path the absolute path, unescaped, such as {@code /api/v1/namespaces/shop/pods}; object names cannot hold
 *     characters that need escaping
 * @param query query parameters, unescaped, in order
 * @param accept the media type asked for
 * @param body what is sent, or null
 * @param deadline how long the whole call may take, from now; null leaves it to the transport's own settings. A stream
 *     that is still open then ends with {@link TransportException.Kind#TIMEOUT}. More than a hundred years are a hundred
 *     years, which every timer can hold
 */
@RecordBuilder
public record ApiRequest(
        String method,
        String path,
        Map<String, String> query,
        String accept,
        @Nullable Body body,
        @Nullable Duration deadline) {

    /** The media type of every answer unless asked otherwise. */
    public static final String JSON = "application/json";

    /** The API server's own form, which only those answer in who were asked for it. */
    public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Returns whether a {@code Content-Type}, parameters and all, says that what follows is {@link #PROTOBUF}. */
    public static boolean isProtobuf(String contentType) {
        return contentType.toLowerCase(Locale.ROOT).startsWith(PROTOBUF);
    }

    /** Copies the query; a null query is empty, a null accept is JSON; bounds the deadline. */
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

    /** Returns a GET without body. */
    public static ApiRequest get(String path, Map<String, String> query) {
        return new ApiRequest("GET", path, query, JSON, null, null);
    }

    /** Returns a request with this body, if any. */
    public static ApiRequest of(String method, String path, Map<String, String> query, @Nullable Body body) {
        return new ApiRequest(method, path, query, JSON, body, null);
    }

    /** Returns method and path, for messages. Query values are left out: they may be long. */
    public String describe() {
        return method + " " + path;
    }

    /**
     * A request's content.
     *
     * @param contentType its media type
     * @param bytes the content; not copied, not to be written to afterwards
     */
    public record Body(String contentType, byte[] bytes) {

        /** Returns a JSON body. */
        public static Body json(byte[] bytes) {
            return new Body(JSON, bytes);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.protobuf;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiRequestBuilder;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ResourcePath;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport that exchanges protocol buffers with the API server over another transport, while its callers send and
 * receive JSON (upstream: {@code --kube-api-content-type}, the default of Kubernetes' own controllers). Thread-safe.
 *
 * <p>For the built-in kinds in its table, it translates watches, the bodies of creations and replacements, and
 * responses to requests for metadata only. Lists (which are decoded while they arrive), patches and other kinds pass
 * unchanged. Bodies are translated only for API groups in which the server has already responded in protocol buffers.
 *
 * <p>Unknown fields, of a newer API server, are never lost. A watch that receives one ends with {@link
 * TransportException.Kind#BROKEN}, and the resource is watched in JSON from then on. A body with a field that the table
 * lacks is sent as JSON.
 *
 * <p>Calls block, time out and react to interrupts as those of the other transport do; this class adds no wait. The
 * translation costs this process about as much as parsing the JSON would, and saves the server the encoding.
 */
public final class ProtobufTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(ProtobufTransport.class);

    private static final String METADATA = ";as=PartialObjectMetadata;";
    private static final int KEPT_BODIES = 64;

    /*
     * Invariants:
     * P1: a group is in `speaking` only after the server has responded to one of its requests in protocol buffers.
     * P2: a resource in `jsonOnly` stays there.
     * P3: a kept body is the translation of the body beside it; slots may be overwritten at any time.
     * Locks: none. Any thread calls any method.
     */
    private final Transport transport;
    private final Set<String> speaking = ConcurrentHashMap.newKeySet();
    private final Set<String> jsonOnly = ConcurrentHashMap.newKeySet();
    private final AtomicReferenceArray<@Nullable Translated> kept = new AtomicReferenceArray<>(KEPT_BODIES);

    /** A body and its translation; the body itself if it could not be translated. */
    private record Translated(ApiRequest.Body body, ApiRequest.Body result) {}

    /**
     * Makes a transport.
     *
     * @param transport carries the requests, and is closed with this one. It must split streams of this media type into
     *     frames by their length, as {@code OkHttpTransport} and every transport with {@code FramedStream} do
     */
    public ProtobufTransport(Transport transport) {
        this.transport = Objects.requireNonNull(transport, "transport");
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        ResourcePath path = ResourcePath.of(request.path());
        if (path == null || !ProtobufDocument.knows(path.apiVersion(), path.resource())) {
            return transport.execute(request);
        }
        ApiRequest sent = withBody(request, path);
        if (!sent.accept().contains(METADATA)) {
            return transport.execute(sent);
        }
        ApiResponse response = transport.execute(accepting(sent, ""));
        if (!isProtobuf(response.headers())) {
            return response;
        }
        speaking.add(path.apiVersion());
        return translated(request, response);
    }

    private ApiRequest withBody(ApiRequest request, ResourcePath path) {
        ApiRequest.Body body = request.body();
        boolean writes = request.method().equals("POST") || request.method().equals("PUT");
        if (body == null
                || !writes
                || !body.contentType().equals(ApiRequest.JSON)
                || !speaking.contains(path.apiVersion())) {
            return request;
        }
        return ApiRequestBuilder.builder(request)
                .body(translated(request, body))
                .build();
    }

    /** Returns the translation of a body. Consecutive creations often share one body, so translations are kept. */
    private ApiRequest.Body translated(ApiRequest request, ApiRequest.Body body) {
        int slot = System.identityHashCode(body) & (KEPT_BODIES - 1);
        Translated recent = kept.get(slot);
        if (recent != null && recent.body() == body) {
            return recent.result();
        }
        ApiRequest.Body result = body;
        try {
            byte[] document = ProtobufDocument.ofJson(JsonObject.parse(body.bytes()), false);
            if (document != null) {
                result = new ApiRequest.Body(ApiRequest.PROTOBUF, document);
            }
        } catch (NotInSchemaException | DecodeException e) {
            LOG.debug("{}: sent as JSON: {}", request.describe(), e.getMessage());
        }
        kept.set(slot, new Translated(body, result));
        return result;
    }

    private static ApiRequest accepting(ApiRequest request, String parameters) {
        // For each requested media type, this form comes first; "application/json;as=..." has its own parameters.
        StringBuilder accept = new StringBuilder();
        for (String type : request.accept().split(",", -1)) {
            if (type.startsWith(ApiRequest.JSON) && (!parameters.isEmpty() || type.contains(METADATA))) {
                accept.append(ApiRequest.PROTOBUF)
                        .append(type.substring(ApiRequest.JSON.length()))
                        .append(parameters)
                        .append(',');
            }
        }
        return ApiRequestBuilder.builder(request)
                .accept(accept + request.accept())
                .build();
    }

    private static boolean isProtobuf(Map<String, List<String>> headers) {
        List<String> types = headers.getOrDefault("content-type", List.of());
        return !types.isEmpty() && ApiRequest.isProtobuf(types.get(0));
    }

    private static ApiResponse translated(ApiRequest request, ApiResponse response) {
        byte[] json;
        try (response) {
            // Metadata and errors: a caller that requested only these does not need unknown fields.
            json = ProtobufDocument.toJson(response.wholeBody(request.describe()), true);
        } catch (NotInSchemaException | DecodeException | TransportException e) {
            if (!response.isSuccessful()) {
                json = unreadable(e);
            } else if (e instanceof NotInSchemaException) {
                throw new DecodeException(request.describe() + ": the response is malformed: " + e.getMessage(), e);
            } else {
                throw e;
            }
        }
        return new ApiResponse(response.code(), asJson(response.headers()), new ByteArrayInputStream(json));
    }

    /**
     * Returns a substitute for the body of an error. The status code has arrived, and an unreadable body must not hide
     * it.
     */
    static byte[] unreadable(RuntimeException problem) {
        return ("(the error's body could not be read: " + problem.getMessage() + ")").getBytes(StandardCharsets.UTF_8);
    }

    static Map<String, List<String>> asJson(Map<String, List<String>> headers) {
        Map<String, List<String>> changed = new HashMap<>(headers);
        changed.put("content-type", List.of(ApiRequest.JSON));
        changed.remove("content-length");
        return changed;
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        ResourcePath path = ResourcePath.of(request.path());
        if (path == null
                || !ProtobufDocument.knows(path.apiVersion(), path.resource())
                || jsonOnly.contains(path.toString())) {
            return transport.stream(request);
        }
        ApiStream stream = transport.stream(accepting(request, ";stream=watch"));
        if (!isProtobuf(stream.headers())) {
            return stream;
        }
        speaking.add(path.apiVersion());
        return new ProtobufStream(request.describe(), stream, problem -> {
            if (jsonOnly.add(path.toString())) {
                LOG.info("Watching {} in JSON from now on: {} is not in the protocol buffer schema", path, problem);
            }
        });
    }

    @Override
    public void close() {
        transport.close();
    }

    @Override
    public String toString() {
        return "ProtobufTransport[" + transport + "]";
    }
}

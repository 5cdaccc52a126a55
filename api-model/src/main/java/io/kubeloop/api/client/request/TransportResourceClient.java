/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiRequestBuilder;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.PreparedCreate;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link ResourceClient} over a transport and a codec. Thread-safe, because it is immutable. */
final class TransportResourceClient<T extends KubeObject> implements ResourceClient<T> {

    private final Transport transport;

    private final ObjectCodec codec;
    private final ResourceType<T> type;
    private final RequestPaths paths;

    /** The API versions in which the server has responded in the codec's preferred media type; only grows. */
    private final Set<String> spoken;

    private final List<String> mediaTypes;

    /** Accepts the objects of this client. */
    private final String accept;

    /** Accepts metadata only. A server that does not support it sends the whole object. */
    private final String acceptMetadata;

    private final String acceptMetadataList;

    TransportResourceClient(Transport transport, ObjectCodec codec, ResourceType<T> type, Set<String> spoken) {
        this.transport = transport;
        this.codec = codec;
        this.type = type;
        this.paths = new RequestPaths(type);
        this.spoken = spoken;
        mediaTypes = codec.mediaTypes(type);
        String metadata = as(codec, type, "PartialObjectMetadata");
        accept = isMetadataOnly() ? metadata : String.join(",", mediaTypes);
        acceptMetadata = metadata;
        acceptMetadataList = as(codec, type, "PartialObjectMetadataList");
    }

    private static String as(ObjectCodec codec, ResourceType<?> type, String kind) {
        StringBuilder accept = new StringBuilder();
        for (String mediaType : codec.mediaTypes(ResourceTypes.metadataOf(type))) {
            accept.append(mediaType).append(";as=").append(kind).append(";g=meta.k8s.io;v=v1,");
        }
        return accept + String.join(",", codec.mediaTypes(type));
    }

    @Override
    public T get(ObjectName name) {
        return object(request("GET", paths.object("GET", name), Map.of(), null));
    }

    @Override
    public KubeList<T> list(String namespace, ListOptions options) {
        ApiRequest request = new ApiRequest(
                "GET",
                paths.collection("GET", namespace),
                options.toQuery(false),
                isMetadataOnly() ? acceptMetadataList : accept,
                null,
                options.deadline());
        try {
            return call(request, response -> {
                CountedBody body = new CountedBody(response.body());
                KubeList<T> page = codec.decodeList(type, body);
                String next = page.metadata().continueToken();
                ListedPages.PROCESS.count(
                        this,
                        options.continueToken(),
                        next,
                        body.count(),
                        page.items().size());
                return page;
            });
        } catch (RuntimeException e) {
            ListedPages.PROCESS.ended(this, options.continueToken());
            throw e;
        }
    }

    /** Counts the bytes that are read. */
    private static final class CountedBody extends FilterInputStream {

        private long count;

        CountedBody(InputStream body) {
            super(body);
        }

        long count() {
            return count;
        }

        @Override
        public int read() throws IOException {
            int value = in.read();
            count += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int n = in.read(into, offset, length);
            count += Math.max(0, n);
            return n;
        }
    }

    @Override
    public WatchStream<T> watch(String namespace, ListOptions options) {
        ApiRequest request = new ApiRequest(
                "GET", paths.collection("GET", namespace), options.toQuery(true), accept, null, options.deadline());
        ApiStream stream = transport.stream(request);
        if (stream.code() == 200) {
            note(stream.headers());
            return new DecodingWatchStream<>(request, stream, codec, type);
        }
        try (stream) {
            byte[] body = stream.next();
            throw refused(request, stream.code(), stream.headers(), body == null ? new byte[0] : body);
        }
    }

    @Override
    public T create(T object) {
        return object(creation(object));
    }

    @Override
    public ObjectMeta createForMetadata(T object) {
        return metadata(creation(object));
    }

    @Override
    public PreparedCreate prepareCreate(T object) {
        ApiRequest request = forMetadata(creation(object));
        return () -> call(request, response -> codec.decodeIdentity(response.wholeBody(request.describe())));
    }

    @Override
    public T update(T object) {
        return object(replacement(object));
    }

    @Override
    public ObjectMeta updateForMetadata(T object) {
        return metadata(replacement(object));
    }

    @Override
    public T updateStatus(T object) {
        return updateSubresource(object, "status");
    }

    @Override
    public T updateSubresource(T object, String subresource) {
        return object(request("PUT", paths.part("PUT", object.objectName(), subresource), Map.of(), body(object)));
    }

    @Override
    public T apply(T object, String fieldManager, boolean force) {
        return patch(object.objectName(), new Patch(Patch.Type.APPLY, codec.encode(type, object), fieldManager, force));
    }

    @Override
    public T patch(ObjectName name, Patch patch) {
        return patch(name, patch, "");
    }

    @Override
    public T patch(ObjectName name, Patch patch, String subresource) {
        Map<String, String> query = new LinkedHashMap<>();
        if (patch.fieldManager() != null) {
            query.put("fieldManager", patch.fieldManager());
        }
        if (patch.force()) {
            query.put("force", "true");
        }
        String path = subresource.isEmpty() ? paths.object("PATCH", name) : paths.part("PATCH", name, subresource);
        return object(
                request("PATCH", path, query, new ApiRequest.Body(patch.type().contentType(), patch.body())));
    }

    @Override
    public void delete(ObjectName name, DeleteOptions options) {
        call(ApiRequest.of("DELETE", paths.object("DELETE", name), Map.of(), body(options)), response -> "");
    }

    @Override
    public void deleteCollection(String namespace, DeleteOptions options, ListOptions selection) {
        ApiRequest request =
                ApiRequest.of("DELETE", paths.collection("DELETE", namespace), selection.toQuery(false), body(options));
        // The response contains the deleted objects, which the caller does not need.
        call(request, response -> "");
    }

    private static ApiRequest.@Nullable Body body(DeleteOptions options) {
        return options.equals(DeleteOptions.DEFAULT) ? null : ApiRequest.Body.json(DeleteOptionsJson.write(options));
    }

    @Override
    public ListerWatcher<T> listerWatcher(
            String namespace, @Nullable String labelSelector, @Nullable String fieldSelector) {
        return new ListerWatcher<>() {
            @Override
            public KubeList<T> list(ListOptions options) {
                return TransportResourceClient.this.list(namespace, select(options));
            }

            @Override
            public WatchStream<T> watch(ListOptions options) {
                return TransportResourceClient.this.watch(namespace, select(options));
            }

            private ListOptions select(ListOptions options) {
                return ListOptionsBuilder.builder(options)
                        .labelSelector(labelSelector)
                        .fieldSelector(fieldSelector)
                        .build();
            }
        };
    }

    private ApiRequest creation(T object) {
        return request("POST", paths.collectionOf("POST", object), Map.of(), body(object));
    }

    private ApiRequest replacement(T object) {
        return request("PUT", paths.object("PUT", object.objectName()), Map.of(), body(object));
    }

    private ApiRequest request(String method, String path, Map<String, String> query, ApiRequest.@Nullable Body body) {
        return new ApiRequest(method, path, query, accept, body, null);
    }

    private ApiRequest forMetadata(ApiRequest request) {
        return ApiRequestBuilder.builder(request).accept(acceptMetadata).build();
    }

    /** A server may support JSON only, so the other media type is sent to those that have sent it. */
    private ApiRequest.Body body(T object) {
        return spoken.contains(type.apiVersion())
                ? codec.encodeBody(type, object)
                : ApiRequest.Body.json(codec.encode(type, object));
    }

    private void note(Map<String, List<String>> headers) {
        if (mediaTypes.size() > 1 && Responses.isOf(mediaTypes.get(0), headers)) {
            spoken.add(type.apiVersion());
        }
    }

    private boolean isMetadataOnly() {
        return type.objectClass() == PartialObjectMetadata.class;
    }

    private T object(ApiRequest request) {
        return call(request, response -> codec.decode(type, response.body()));
    }

    private ObjectMeta metadata(ApiRequest request) {
        ResourceType<PartialObjectMetadata> metadata = ResourceTypes.metadataOf(type);
        return call(forMetadata(request), response -> codec.decode(metadata, response.body()))
                .metadata();
    }

    private <R> R call(ApiRequest request, Function<ApiResponse, R> decode) {
        try (ApiResponse response = transport.execute(request)) {
            if (!response.isSuccessful()) {
                throw refused(request, response.code(), response.headers(), errorBody(response));
            }
            Responses.requireMediaType(request, response.headers());
            note(response.headers());
            return decode.apply(response);
        } catch (DecodeException e) {
            throw Responses.malformed(request, e);
        }
    }

    private static byte[] errorBody(ApiResponse response) {
        try {
            return ErrorBody.read(response.body());
        } catch (IOException | TransportException e) {
            // The status code has arrived; an error body that breaks off must not hide it.
            return ("(the error's body could not be read: " + e.getMessage() + ")").getBytes(StandardCharsets.UTF_8);
        }
    }

    private ApiException refused(ApiRequest request, int code, Map<String, List<String>> headers, byte[] body) {
        return Responses.refusal(request, code, headers, codec.decodeStatus(code, body));
    }
}

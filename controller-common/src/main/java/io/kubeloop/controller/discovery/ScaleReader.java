package io.kubeloop.controller.discovery;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the wanted number of pods of an object of any kind, by its subresource {@code scale} (upstream: {@code
 * scale.ScalesGetter}).
 *
 * <p>Thread-safe. Discovery is read when a kind is not known yet.
 */
public final class ScaleReader {

    private final Transport transport;
    private volatile ApiCatalog catalog = ApiCatalog.EMPTY;

    /** Creates a reader, which sends nothing yet. */
    public ScaleReader(Transport transport) {
        this.transport = transport;
    }

    /**
     * The scale of an object.
     *
     * @param uid the UID of the object
     * @param replicas the wanted number of pods
     */
    public record Scale(String uid, int replicas) {}

    /**
     * Returns the scale of an object; null if the object or its scale does not exist. Blocks until the server responds.
     *
     * @param apiVersion group and version of the object, such as {@code apps/v1}
     * @throws UnknownKindException if the server serves no such kind
     * @throws ApiException if the server rejects the request
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     */
    public @Nullable Scale read(String apiVersion, String kind, ObjectName name) {
        ApiRequest request = ApiRequest.get(type(apiVersion, kind).objectPath(name, "scale"), Map.of());
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.wholeBody(request.describe());
            if (response.code() == 404) {
                return null;
            }
            if (!response.isSuccessful()) {
                throw new ApiException(
                        request.describe(), JsonCodec.standard().decodeStatus(response.code(), body), null);
            }
            JsonObject scale = JsonObject.parse(body);
            Long replicas = scale.number("spec", "replicas");
            return new Scale(scale.string("metadata", "uid"), replicas == null ? 0 : replicas.intValue());
        }
    }

    private ResourceType<PartialObjectMetadata> type(String apiVersion, String kind) {
        ApiCatalog.Entry entry = catalog.ofKind(apiVersion, kind);
        if (entry == null) {
            catalog = ApiCatalog.read(transport);
            entry = catalog.ofKind(apiVersion, kind);
        }
        if (entry == null) {
            throw new UnknownKindException("no matches for kind \"" + kind + "\" in version \"" + apiVersion + "\"");
        }
        return entry.type();
    }

    /** Reports that a server serves no such kind. */
    public static final class UnknownKindException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnknownKindException(String message) {
            super(message);
        }
    }
}

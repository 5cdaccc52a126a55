/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the wanted number of pods of an object of any kind, by its subresource {@code scale} (upstream:
 * {@code scale.ScalesGetter}).
 *
 * <p>Thread-safe. Discovery is read when a kind is not known yet, and again after the maximum age. Requests block until
 * the server responds.
 */
public final class ScaleClient {

    private final Transport transport;
    private final JsonRequests requests;
    private final Clock clock;
    private final Duration maxAge;
    // Racy on purpose: two threads may read equal catalogs.
    private volatile Discovered discovered = new Discovered(ApiCatalog.EMPTY, Instant.MIN);

    private record Discovered(ApiCatalog catalog, Instant since) {}

    /** Creates a client that keeps what it discovered. It sends nothing yet. */
    public ScaleClient(Transport transport) {
        this(transport, Clock.systemUTC(), Duration.ofDays(Integer.MAX_VALUE));
    }

    /**
     * Creates a client, which sends nothing yet.
     *
     * @param maxAge the time after which discovery is read again, so kinds that are gone become unknown
     */
    public ScaleClient(Transport transport, Clock clock, Duration maxAge) {
        this.transport = transport;
        this.requests = new JsonRequests(transport);
        this.clock = clock;
        this.maxAge = maxAge;
    }

    /**
     * The scale of an object.
     *
     * @param uid the UID of the object
     * @param replicas the wanted number of pods
     */
    public record Scale(String uid, int replicas) {}

    /**
     * Returns the scale of an object; null if the object or its scale does not exist.
     *
     * @param apiVersion group and version of the object, such as {@code apps/v1}
     * @throws UnknownKindException if the server serves no such kind
     * @throws ApiException if the server rejects the request
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     */
    public @Nullable Scale read(String apiVersion, String kind, ObjectName name) {
        ApiCatalog.Entry entry = catalog().ofKind(apiVersion, kind);
        if (entry == null) {
            entry = discover().ofKind(apiVersion, kind);
        }
        if (entry == null) {
            throw new UnknownKindException("no matches for kind \"" + kind + "\" in version \"" + apiVersion + "\"");
        }
        try {
            JsonObject scale = get(entry.type(), name);
            Long replicas = scale.number("spec", "replicas");
            return new Scale(scale.string("metadata", "uid"), replicas == null ? 0 : replicas.intValue());
        } catch (ApiException e) {
            if (e.code() == 404) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Returns the resource of a kind, in the version that the server prefers (upstream: {@code
     * RESTMapper.RESTMapping}). O(number of resources).
     *
     * @param group the API group; empty for the core group
     * @throws UnknownKindException if the server serves no such kind
     * @throws ApiException if the server rejects the request for discovery
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     */
    public ResourceType<PartialObjectMetadata> resource(String group, String kind) {
        ApiCatalog.Entry entry = find(catalog(), group, kind);
        if (entry == null) {
            entry = find(discover(), group, kind);
        }
        if (entry == null) {
            throw new UnknownKindException("no matches for kind \"" + kind + "\" in group \"" + group + "\"");
        }
        return entry.type();
    }

    private static ApiCatalog.@Nullable Entry find(ApiCatalog catalog, String group, String kind) {
        for (ApiCatalog.Entry entry : catalog.preferred()) {
            if (entry.type().group().equals(group) && entry.type().kind().equals(kind)) {
                return entry;
            }
        }
        return null;
    }

    private ApiCatalog catalog() {
        Discovered known = discovered;
        Instant now = clock.instant();
        return known.since().equals(Instant.MIN)
                        || Duration.between(known.since(), now).compareTo(maxAge) < 0
                ? known.catalog()
                : discover();
    }

    private ApiCatalog discover() {
        ApiCatalog catalog = new DiscoveryReader(transport).read();
        discovered = new Discovered(catalog, clock.instant());
        return catalog;
    }

    /**
     * Returns the scale of an object as a document.
     *
     * @throws ApiException if the object or its scale does not exist, or if the server rejects the request
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     */
    public JsonObject get(ResourceType<?> type, ObjectName name) {
        return requests.send(ApiRequest.get(type.objectPath(name, "scale"), Map.of()), target(type, name));
    }

    /**
     * Replaces the scale of an object, and returns the stored one. The server rejects it with a conflict if its
     * resource version is not the current one.
     *
     * @throws ApiException if the server rejects the request
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     */
    public JsonObject update(ResourceType<?> type, ObjectName name, JsonObject scale) {
        return requests.send(
                ApiRequest.of("PUT", type.objectPath(name, "scale"), Map.of(), ApiRequest.Body.json(scale.toBytes())),
                target(type, name));
    }

    /** Upstream's client of scales knows no group, so its texts have none. */
    private static JsonRequests.Target target(ResourceType<?> type, ObjectName name) {
        return new JsonRequests.Target("", type.plural(), name.name());
    }

    /** Reports that a server serves no such kind. */
    public static final class UnknownKindException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnknownKindException(String message) {
            super(message);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the addresses behind services (upstream: {@code apiserver/pkg/util/proxy}). As no network forwards cluster
 * addresses, the server connects to an endpoint of the service, to its external name, or to the address that the owner
 * of the server has set. Endpoints come from slices; if there are none, from the object {@code Endpoints}. Thread-safe.
 */
public final class ServiceAddresses implements ServiceResolver {

    private static final String SERVICE_OF_SLICE = "kubernetes.io/service-name";

    private final ApiBackend backend;
    private final Map<String, InetSocketAddress> given;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Creates a resolver.
     *
     * @param given addresses that replace the endpoints, by {@code namespace/name} or {@code namespace/name:port}; port
     *     0 stands for the target port of the service
     */
    public ServiceAddresses(ApiBackend backend, Map<String, InetSocketAddress> given) {
        this.backend = backend;
        this.given = Map.copyOf(given);
    }

    @Override
    public InetSocketAddress resolve(String namespace, String name, int port) throws IOException {
        Snapshot now = backend.storage().snapshot();
        JsonObject service = get(now, "Service", namespace, name);
        if (service == null) {
            throw new IOException("service " + GoText.quoted(name) + " not found");
        }
        JsonObject servicePort = port(service, port);
        InetSocketAddress set = given(namespace, name, port);
        if (set != null) {
            Long target = servicePort == null ? null : servicePort.number("targetPort");
            int behind = target == null ? port : target.intValue();
            return set.getPort() > 0 ? set : InetSocketAddress.createUnresolved(set.getHostString(), behind);
        }
        if (service.string("spec", "type").equals("ExternalName")) {
            return InetSocketAddress.createUnresolved(service.string("spec", "externalName"), port);
        }
        if (servicePort == null) {
            throw new IOException("no service port " + port + " found for service " + GoText.quoted(name));
        }
        List<InetSocketAddress> ready = endpoints(now, namespace, name, servicePort.string("name"));
        if (ready.isEmpty()) {
            throw new IOException("no endpoints available for service " + GoText.quoted(name));
        }
        return ready.get(Math.floorMod(turn.getAndIncrement(), ready.size()));
    }

    @Override
    public @Nullable Problem problem(String namespace, String name, int port) {
        Snapshot now = backend.storage().snapshot();
        JsonObject service = get(now, "Service", namespace, name);
        String shown = "service/" + name + " in " + GoText.quoted(namespace);
        if (service == null) {
            return new Problem("ServiceNotFound", shown + " is not present");
        }
        if (!service.string("spec", "type").equals("ClusterIP") || given(namespace, name, port) != null) {
            return null;
        }
        JsonObject servicePort = port(service, port);
        if (servicePort == null) {
            return new Problem("ServicePortError", shown + " is not listening on port " + port);
        }
        if (slices(now, namespace, name).isEmpty() && get(now, "Endpoints", namespace, name) == null) {
            return new Problem("EndpointsNotFound", "cannot find endpointslices for " + shown);
        }
        String portName = servicePort.string("name");
        return endpoints(now, namespace, name, portName).isEmpty()
                ? new Problem(
                        "MissingEndpoints",
                        "endpointslices for " + shown + " have no addresses with port name " + GoText.quoted(portName))
                : null;
    }

    @Override
    public void onChange(Runnable listener) {
        for (ResourceStore store : List.of(
                store("v1", "Service"), store("v1", "Endpoints"), store("discovery.k8s.io/v1", "EndpointSlice"))) {
            backend.storage().onWrite(store.bucket(), listener);
        }
    }

    private @Nullable InetSocketAddress given(String namespace, String name, int port) {
        InetSocketAddress ofPort = given.get(namespace + "/" + name + ":" + port);
        return ofPort == null ? given.get(namespace + "/" + name) : ofPort;
    }

    private static @Nullable JsonObject port(JsonObject service, int port) {
        return service.array("spec", "ports")
                .objects()
                .filter(each -> Objects.equals(each.number("port"), (long) port))
                .findFirst()
                .orElse(null);
    }

    /** Returns the addresses of the ready endpoints at the port of this name. */
    private List<InetSocketAddress> endpoints(Snapshot now, String namespace, String name, String portName) {
        List<JsonObject> slices = slices(now, namespace, name);
        List<InetSocketAddress> found = new ArrayList<>();
        for (JsonObject slice : slices) {
            List<String> ready = slice.array("endpoints")
                    .objects()
                    .filter(endpoint ->
                            endpoint.object("conditions").get("ready") == null || endpoint.bool("conditions", "ready"))
                    .flatMap(endpoint -> endpoint.array("addresses").strings().limit(1))
                    .toList();
            add(found, ready, slice.array("ports").objects().toList(), portName);
        }
        JsonObject endpoints = slices.isEmpty() ? get(now, "Endpoints", namespace, name) : null;
        if (endpoints != null) {
            for (JsonObject subset : endpoints.array("subsets").objects().toList()) {
                List<String> ready = subset.array("addresses")
                        .objects()
                        .map(address -> address.string("ip"))
                        .toList();
                add(found, ready, subset.array("ports").objects().toList(), portName);
            }
        }
        return found;
    }

    private static void add(
            List<InetSocketAddress> found, List<String> addresses, List<JsonObject> ports, String portName) {
        for (JsonObject port : ports) {
            Long number = port.number("port");
            if (number != null && port.string("name").equals(portName)) {
                addresses.forEach(address -> found.add(InetSocketAddress.createUnresolved(address, number.intValue())));
            }
        }
    }

    private List<JsonObject> slices(Snapshot now, String namespace, String name) {
        ResourceStore store = store("discovery.k8s.io/v1", "EndpointSlice");
        List<JsonObject> found = new ArrayList<>();
        for (StoredObject slice : store.objects(now, namespace)) {
            if (slice.tree().string("metadata", "labels", SERVICE_OF_SLICE).equals(name)) {
                found.add(slice.tree());
            }
        }
        return found;
    }

    private @Nullable JsonObject get(Snapshot now, String kind, String namespace, String name) {
        ResourceStore store = store("v1", kind);
        StoredObject found = now.get(store.bucket(), store.key(namespace, name));
        return found == null ? null : found.tree();
    }

    private ResourceStore store(String apiVersion, String kind) {
        return Objects.requireNonNull(backend.storeOfKind(apiVersion, kind), kind);
    }
}

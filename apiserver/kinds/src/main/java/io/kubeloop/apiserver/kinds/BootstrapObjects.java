/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds;

import io.kubeloop.apiserver.kinds.service.ServiceNetwork;
import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objects that clients find when the server starts (upstream: {@code pkg/controlplane/controller} and the {@code
 * PostStartHook}s of each group).
 *
 * <p>A resource has those that are always the same, as kube-apiserver 1.37.2 stores them. Immutable; thread-safe.
 */
final class BootstrapObjects {

    /** The objects in their stored form, so a start takes no time for defaults, validation and managed fields. */
    private static final String RESOURCE = "start-objects.jsonl";

    /** The roles and role bindings in their stored form. */
    private static final String ROLES = "start-roles.jsonl";

    /** Stands for a new UID. */
    static final String UID = "@uid";

    /** Stands for the time of the start. */
    static final String NOW = "@now";

    /** The port of the server in the service, if it has no HTTP front end; kube-apiserver's default. */
    private static final int DEFAULT_PORT = 6443;

    /** The address of a server that only this machine can reach; endpoints must not have a loopback address. */
    private static final String UNREACHABLE = "192.0.2.1";

    private static final UnaryOperator<JsonObject> KEEP = UnaryOperator.identity();

    private final ServiceNetwork network;

    BootstrapObjects(ServiceNetwork network) {
        this.network = network;
    }

    /** Stores the objects that do not depend on the settings of the server. */
    static void restore(ServerContent content) {
        restore(content, stored());
    }

    /** Stores the roles and role bindings that kube-apiserver creates if its authorizer reads them. */
    static void restoreRoles(ServerContent content) {
        restore(content, lines(ROLES));
    }

    private static void restore(ServerContent content, List<String> objects) {
        String now = content.backend().now().toString();
        objects.forEach(line -> content.restore(JsonObject.parse(line.replace(NOW, now)
                .replace(UID, content.backend().names().uid())
                .getBytes(StandardCharsets.UTF_8))));
    }

    /**
     * Returns the stored objects in JSON, one per line, with {@link #UID} and {@link #NOW} for what differs between
     * servers.
     */
    static List<String> stored() {
        return lines(RESOURCE);
    }

    private static List<String> lines(String resource) {
        try (InputStream in = Objects.requireNonNull(BootstrapObjects.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the objects that exist at the start", e);
        }
    }

    /** Writes the objects that depend on the settings or the address of the server. */
    void write(ServerContent content) {
        if (content.address() == null) {
            authentication(content);
            addresses(content);
            new ApiServices(content).follow();
        }
        kubernetes(content);
    }

    private static JsonObject object(String apiVersion, String kind, String namespace, String name) {
        JsonObject metadata = JsonObject.EMPTY.with("name", name);
        return JsonObject.EMPTY
                .with("apiVersion", apiVersion)
                .with("kind", kind)
                .with("metadata", namespace.isEmpty() ? metadata : metadata.with("namespace", namespace));
    }

    private static void authentication(ServerContent content) {
        String since = content.backend().now().toString().substring(0, "yyyy-mm-dd".length());
        content.ensure(
                object("v1", "ConfigMap", "kube-system", "kube-apiserver-legacy-service-account-token-tracking")
                        .with("data", JsonObject.EMPTY.with("since", since)),
                KEEP);
    }

    /** The range of service addresses (upstream: {@code defaultservicecidr}). */
    private void addresses(ServerContent content) {
        JsonObject ready = JsonObject.EMPTY
                .with("type", "Ready")
                .with("status", "True")
                .with("reason", "")
                .with("message", "Kubernetes default Service CIDR is ready")
                .with("lastTransitionTime", content.backend().now().toString());
        content.ensure(
                object("networking.k8s.io/v1", "ServiceCIDR", "", "kubernetes")
                        .with("spec", JsonObject.EMPTY.with("cidrs", JsonArray.ofStrings(network.cidrs())))
                        .with("status", JsonObject.EMPTY.with("conditions", JsonArray.of(ready))),
                KEEP);
    }

    /**
     * The service through which pods reach the server (upstream: {@code kubernetesservice} and {@code reconcilers}).
     */
    private void kubernetes(ServerContent content) {
        InetSocketAddress address = content.address();
        int port = address == null ? DEFAULT_PORT : address.getPort();
        JsonObject servicePort = JsonObject.EMPTY
                .with("name", "https")
                .with("protocol", "TCP")
                .with("port", 443)
                .with("targetPort", port);
        JsonObject spec = JsonObject.EMPTY
                .with("clusterIP", network.first())
                .with("type", "ClusterIP")
                .with("sessionAffinity", "None")
                .with("ports", JsonArray.of(servicePort));
        JsonObject labels = JsonObject.EMPTY.with("component", "apiserver").with("provider", "kubernetes");
        content.ensure(
                labelled(object("v1", "Service", "default", "kubernetes"), labels)
                        .with("spec", spec),
                service -> service.with("spec", service.object("spec").with("ports", JsonArray.of(servicePort))));
        content.ensure(
                labelled(
                                object("networking.k8s.io/v1", "IPAddress", "", network.first()),
                                JsonObject.EMPTY
                                        .with("ipaddress.kubernetes.io/ip-family", network.firstFamily())
                                        .with("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io"))
                        .with(
                                "spec",
                                JsonObject.EMPTY.with(
                                        "parentRef",
                                        JsonObject.EMPTY
                                                .with("resource", "services")
                                                .with("namespace", "default")
                                                .with("name", "kubernetes"))),
                KEEP);
        endpoints(content, host(address), port);
    }

    private static void endpoints(ServerContent content, InetAddress host, int port) {
        String ip = host.getHostAddress();
        JsonObject endpointPort =
                JsonObject.EMPTY.with("name", "https").with("port", port).with("protocol", "TCP");
        JsonObject subset = JsonObject.EMPTY
                .with("addresses", JsonArray.of(JsonObject.EMPTY.with("ip", ip)))
                .with("ports", JsonArray.of(endpointPort));
        replace(
                content,
                labelled(
                        object("v1", "Endpoints", "default", "kubernetes"),
                        JsonObject.EMPTY.with("endpointslice.kubernetes.io/skip-mirror", "true")),
                List.of("subsets"),
                List.of(JsonArray.of(subset)));
        JsonObject endpoint = JsonObject.EMPTY
                .with("addresses", JsonArray.of(new JsonString(ip)))
                .with("conditions", JsonObject.of("ready", JsonBoolean.TRUE));
        replace(
                content,
                labelled(
                                object("discovery.k8s.io/v1", "EndpointSlice", "default", "kubernetes"),
                                JsonObject.EMPTY.with("kubernetes.io/service-name", "kubernetes"))
                        .with("addressType", host.getAddress().length == 4 ? "IPv4" : "IPv6"),
                List.of("endpoints", "ports"),
                List.of(JsonArray.of(endpoint), JsonArray.of(endpointPort)));
    }

    private static void replace(
            ServerContent content, JsonObject object, List<String> members, List<? extends JsonValue> values) {
        UnaryOperator<JsonObject> change = current -> {
            JsonObject result = current;
            for (int i = 0; i < members.size(); i++) {
                result = result.with(members.get(i), values.get(i));
            }
            return result;
        };
        content.ensure(change.apply(object), change);
    }

    /** A loopback or wildcard address says nothing to another machine. */
    private static InetAddress host(@Nullable InetSocketAddress address) {
        InetAddress host = address == null ? null : address.getAddress();
        if (host != null && !host.isLoopbackAddress() && !host.isAnyLocalAddress()) {
            return host;
        }
        try {
            return InetAddress.getByName(UNREACHABLE);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(UNREACHABLE + " is an address", e);
        }
    }

    private static JsonObject labelled(JsonObject object, JsonObject labels) {
        return object.with("metadata", object.object("metadata").with("labels", labels));
    }

    /**
     * Keeps one APIService for each served group version (upstream: {@code kube-aggregator}'s {@code autoregister}).
     * Those of the built-in kinds are among the stored objects; as upstream, they are not written again after a client
     * has deleted them.
     */
    private record ApiServices(ServerContent content) {

        private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

        private static final Set<String> BUILT_IN = TypeCatalog.kubernetes().resources().stream()
                .map(ApiResource::apiVersion)
                .collect(Collectors.toUnmodifiableSet());

        void follow() {
            update();
            content.backend().registry().onChange(this::update);
        }

        private void update() {
            List<String> served = new ArrayList<>(content.backend().registry().groupVersions());
            served.removeAll(BUILT_IN);
            served.forEach(this::ensure);
            content.remove(
                    "apiregistration.k8s.io/v1",
                    "APIService",
                    service -> service.string("metadata", "labels", MANAGED).equals("true")
                            && !served.contains(groupVersion(service)));
        }

        private static String groupVersion(JsonObject service) {
            String group = service.string("spec", "group");
            return (group.isEmpty() ? "" : group + "/") + service.string("spec", "version");
        }

        private void ensure(String groupVersion) {
            int slash = groupVersion.indexOf('/');
            String group = groupVersion.substring(0, Math.max(slash, 0));
            String version = groupVersion.substring(slash + 1);
            JsonObject available = JsonObject.EMPTY
                    .with("type", "Available")
                    .with("status", "True")
                    .with("lastTransitionTime", content.backend().now().toString())
                    .with("reason", "Local")
                    .with("message", "Local APIServices are always available");
            JsonObject labels = JsonObject.EMPTY.with(MANAGED, "true");
            content.ensure(
                    labelled(object("apiregistration.k8s.io/v1", "APIService", "", version + "." + group), labels)
                            .with(
                                    "spec",
                                    JsonObject.EMPTY
                                            .with("group", group)
                                            .with("version", version)
                                            .with("groupPriorityMinimum", 1000)
                                            .with("versionPriority", 100))
                            .with("status", JsonObject.EMPTY.with("conditions", JsonArray.of(available))),
                    KEEP);
        }
    }
}

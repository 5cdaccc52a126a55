package io.kubeloop.apiserver.kinds;

import io.kubeloop.apiserver.kinds.service.ServiceNetwork;
import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects that clients find when the server starts (upstream: {@code pkg/controlplane/controller} and the {@code
 * PostStartHook}s of each group). Roles and role bindings are missing, because no authorizer reads them.
 *
 * <p>A resource has those that are always the same, as kube-apiserver 1.36.3 creates them. Immutable; thread-safe.
 */
final class StartContent {

    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    /** The port of the server in the service, if it has no HTTP face; kube-apiserver's default. */
    private static final int DEFAULT_PORT = 6443;

    /** The address of a server that only this machine can reach; endpoints must not have a loopback address. */
    private static final String UNREACHABLE = "192.0.2.1";

    private static final UnaryOperator<JsonObject> KEEP = UnaryOperator.identity();

    private final ServiceNetwork network;

    StartContent(ServiceNetwork network) {
        this.network = network;
    }

    void write(ServerContent content) {
        NAMESPACES.forEach(namespace -> content.ensure(object("v1", "Namespace", "", namespace), KEEP));
        if (content.address() == null) {
            fixed(content);
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

    private static void fixed(ServerContent content) {
        String now = content.backend().now().toString();
        try (InputStream in = Objects.requireNonNull(
                        StartContent.class.getResourceAsStream("start-objects.jsonl"), "start-objects");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                content.ensure(withTimes(JsonObject.parse(line.getBytes(StandardCharsets.UTF_8)), now), KEEP);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the objects that exist at the start", e);
        }
    }

    private static JsonObject withTimes(JsonObject object, String now) {
        JsonArray conditions = object.array("status", "conditions");
        if (conditions.isEmpty()) {
            return object;
        }
        List<JsonObject> timed = conditions
                .objects()
                .map(condition -> condition.with("lastTransitionTime", now))
                .toList();
        return object.with("status", object.object("status").with("conditions", JsonArray.of(timed)));
    }

    private static void authentication(ServerContent content) {
        content.ensure(object("v1", "ConfigMap", "kube-system", "extension-apiserver-authentication"), KEEP);
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

    /** The service through which pods reach the server (upstream: {@code kubernetesservice} and {@code reconcilers}). */
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

    /** Keeps one APIService for each served group version (upstream: {@code kube-aggregator}'s {@code autoregister}). */
    private record ApiServices(ServerContent content) {

        /** The group version, the priority of the group and that of the version; the others are custom resources. */
        private static final String PRIORITIES = """
                v1 18000 1
                admissionregistration.k8s.io/v1 16700 15
                apiextensions.k8s.io/v1 16700 15
                apps/v1 17800 15
                authentication.k8s.io/v1 17700 15
                authorization.k8s.io/v1 17600 15
                autoscaling/v1 17500 15
                autoscaling/v2 17500 30
                batch/v1 17400 15
                certificates.k8s.io/v1 17300 15
                coordination.k8s.io/v1 16500 15
                discovery.k8s.io/v1 16200 15
                events.k8s.io/v1 17750 15
                flowcontrol.apiserver.k8s.io/v1 16100 21
                networking.k8s.io/v1 17200 15
                node.k8s.io/v1 16300 15
                policy/v1 17100 15
                rbac.authorization.k8s.io/v1 17000 15
                resource.k8s.io/v1 16200 21
                scheduling.k8s.io/v1 16600 15
                storage.k8s.io/v1 16800 15
                """;

        private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

        void follow() {
            update();
            content.backend().registry().onChange(this::update);
        }

        private void update() {
            List<String> served = new ArrayList<>(content.backend().registry().groupVersions());
            served.remove("apiregistration.k8s.io/v1");
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
            String line = PRIORITIES
                    .lines()
                    .filter(known -> known.startsWith(groupVersion + " "))
                    .findFirst()
                    .orElse(groupVersion + " 1000 100");
            String[] words = line.split(" ", -1);
            JsonObject spec = group.isEmpty() ? JsonObject.EMPTY : JsonObject.EMPTY.with("group", group);
            JsonObject available = JsonObject.EMPTY
                    .with("type", "Available")
                    .with("status", "True")
                    .with("lastTransitionTime", content.backend().now().toString())
                    .with("reason", "Local")
                    .with("message", "Local APIServices are always available");
            boolean builtIn = PRIORITIES.contains(groupVersion + " ");
            JsonObject labels = JsonObject.EMPTY.with(MANAGED, builtIn ? "onstart" : "true");
            content.ensure(
                    labelled(object("apiregistration.k8s.io/v1", "APIService", "", version + "." + group), labels)
                            .with(
                                    "spec",
                                    spec.with("version", version)
                                            .with("groupPriorityMinimum", Long.parseLong(words[1]))
                                            .with("versionPriority", Long.parseLong(words[2])))
                            .with("status", JsonObject.EMPTY.with("conditions", JsonArray.of(available))),
                    KEEP);
        }
    }
}

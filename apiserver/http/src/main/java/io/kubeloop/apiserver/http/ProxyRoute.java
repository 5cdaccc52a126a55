/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.http.proxy.BackendProxy;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.http.wire.RequestTarget;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Relays requests to nodes, pods and services: the part {@code proxy} of these objects (upstream: {@code ProxyREST}).
 * As upstream, an address of the loopback or a link cannot be reached in this way. Thread-safe.
 */
final class ProxyRoute {

    private static final Pattern PATH =
            Pattern.compile("/api/v1/(?:namespaces/([^/]+)/(pods|services)|(nodes))/([^/]+)/proxy(/.*)?");

    private static final Set<String> SCHEMES = Set.of("", "http", "https");

    private static final Map<String, String> OPTIONS =
            Map.of("pods", "PodProxyOptions", "services", "ServiceProxyOptions", "nodes", "NodeProxyOptions");

    private final ObjectReader objects;
    private final Connections connections;
    private final KubeletAccess kubelets;
    private final @Nullable HostedContainers hosted;
    private final BackendProxy proxy;
    private final RandomGenerator random;

    /** The name of a backend: {@code name}, {@code name:port} or {@code scheme:name:port}. */
    private record Named(String scheme, String name, String port) {

        static @Nullable Named parse(String id) {
            String[] parts = id.split(":", -1);
            Named named = parts.length == 1
                    ? new Named("", id, "")
                    : parts.length == 2
                            ? new Named("", parts[0], parts[1])
                            : new Named(parts[0], parts[1], parts[parts.length - 1]);
            return parts.length > 3 || named.name.isEmpty() || !SCHEMES.contains(named.scheme) ? null : named;
        }
    }

    /**
     * Creates a route.
     *
     * @param connections decides about the requests
     * @param hosted stands for pods in this process; null for none
     */
    ProxyRoute(
            ObjectReader objects,
            Connections connections,
            KubeletAccess kubelets,
            @Nullable HostedContainers hosted,
            BackendProxy proxy,
            RandomGenerator random) {
        this.objects = objects;
        this.connections = connections;
        this.kubelets = kubelets;
        this.hosted = hosted;
        this.proxy = proxy;
        this.random = random;
    }

    /** Serves the request if it is for a backend, and returns false otherwise. */
    boolean serve(HttpApiExchange exchange, UserInfo user) throws IOException {
        Matcher path = PATH.matcher(exchange.path());
        if (!path.matches()) {
            return false;
        }
        String kind = path.group(3) == null ? path.group(2) : path.group(3);
        String rest = path.group(5) == null ? "" : path.group(5);
        String query = exchange.wire().target().rawQuery();
        String suffix = query.isEmpty() ? "" : "?" + query;
        if (rest.isEmpty() && Set.of("GET", "HEAD").contains(exchange.method()) && !isUpgrade(exchange)) {
            exchange.redirect(RequestTarget.escaped(exchange.path()) + "/" + suffix);
            return true;
        }
        Named named = Named.parse(path.group(4));
        if (named == null) {
            throw StatusException.badRequest(
                    "invalid " + kind.substring(0, kind.length() - 1) + " request " + GoText.quoted(path.group(4)));
        }
        String namespace = path.group(1) == null ? "" : path.group(1);
        connections.admit(
                user,
                new AccessRequest.Target("", kind, "proxy", namespace, path.group(4)),
                JsonObject.EMPTY
                        .with("kind", Objects.requireNonNull(OPTIONS.get(kind), kind))
                        .with("apiVersion", "v1")
                        .with("path", rest));
        BackendConnection.Backend server = switch (kind) {
            case "nodes" -> node(named, user);
            case "pods" -> pod(named, path.group(1), user);
            default -> service(named, path.group(1), user);
        };
        if (server instanceof BackendConnection.Server remote) {
            requireRoutable(remote.host());
        }
        String prefix = exchange.path().substring(0, exchange.path().length() - rest.length());
        Map<String, List<String>> headers = Map.of(
                "X-Forwarded-Uri", List.of(RequestTarget.escaped(prefix + rest)),
                "X-Forwarded-Host", List.of(exchange.header("Host")),
                "X-Forwarded-Proto", List.of(exchange.isSecure() ? "https" : "http"));
        String target = (rest.isEmpty() ? "/" : RequestTarget.escaped(rest)) + suffix;
        try {
            proxy.relay(exchange.wire(), new BackendProxy.Destination(server, target, headers, Duration.ZERO));
        } catch (BackendException e) {
            if (isUpgrade(exchange)) {
                throw StatusException.unclassified("error dialing backend: " + e.getMessage());
            }
            throw StatusException.of(503, "ServiceUnavailable", "error trying to reach service: " + e.getMessage());
        }
        return true;
    }

    private static boolean isUpgrade(HttpApiExchange exchange) {
        return BackendProxy.isUpgrade(exchange.wire());
    }

    private BackendConnection.Server node(Named named, UserInfo user) {
        JsonObject node = objects.require("/api/v1/nodes/" + named.name, user);
        BackendConnection.Server kubelet = kubelets.kubelet(node, false);
        return named.port.isEmpty() || named.port.equals(Integer.toString(kubelet.port()))
                ? kubelet
                : server(named, kubelet.host(), port(named.port));
    }

    private BackendConnection.Backend pod(Named named, String namespace, UserInfo user) {
        JsonObject pod = objects.require("/api/v1/namespaces/" + namespace + "/pods/" + named.name, user);
        long port = named.port.isEmpty()
                ? pod.array("spec", "containers")
                        .objects()
                        .flatMap(container -> container.array("ports").objects())
                        .findFirst()
                        .map(first -> first.number("containerPort"))
                        .orElse(0L)
                : port(named.port);
        return pod(pod, named, Math.toIntExact(port));
    }

    private BackendConnection.Backend pod(JsonObject pod, Named named, int port) {
        BackendConnection.Server server = server(named, pod.string("status", "podIP"), port);
        return hosted != null && !server.host().isEmpty() && hosted.hosts(pod)
                ? hosted.backend(pod, server.port(), server.tls() != null)
                : server;
    }

    private BackendConnection.Backend service(Named named, String namespace, UserInfo user) {
        String place = "/api/v1/namespaces/" + namespace;
        String portName = named.port;
        if (!named.port.isEmpty() && named.port.chars().allMatch(Character::isDigit)) {
            JsonObject service = objects.require(place + "/services/" + named.name, user);
            portName = service.array("spec", "ports")
                    .objects()
                    .filter(port -> named.port.equals(String.valueOf(port.number("port"))))
                    .map(port -> port.string("name"))
                    .findFirst()
                    .orElseThrow(() -> unavailable(
                            "no service port " + named.port + " found for service " + GoText.quoted(named.name)));
        }
        JsonObject endpoints = objects.require(place + "/endpoints/" + named.name, user);
        for (JsonObject subset : endpoints.array("subsets").objects().toList()) {
            for (JsonObject port : subset.array("ports").objects().toList()) {
                Long number = port.number("port");
                List<JsonObject> addresses = subset.array("addresses")
                        .objects()
                        .filter(address -> address.has("targetRef"))
                        .toList();
                if (port.string("name").equals(portName) && number != null && !addresses.isEmpty()) {
                    return endpoint(
                            addresses.get(random.nextInt(addresses.size())), named, Math.toIntExact(number), user);
                }
            }
        }
        throw unavailable("no endpoints available for service " + GoText.quoted(named.name));
    }

    private BackendConnection.Backend endpoint(JsonObject address, Named named, int port, UserInfo user) {
        BackendConnection.Server server = server(named, address.string("ip"), port);
        JsonObject target = address.object("targetRef");
        if (hosted == null || !target.string("kind").equals("Pod")) {
            return server;
        }
        JsonObject pod = objects.require(
                "/api/v1/namespaces/" + target.string("namespace") + "/pods/" + target.string("name"), user);
        return pod.string("status", "podIP").equals(server.host()) ? pod(pod, named, port) : server;
    }

    private static StatusException unavailable(String message) {
        return StatusException.of(503, "ServiceUnavailable", message);
    }

    private BackendConnection.Server server(Named named, String host, int port) {
        boolean secure = named.scheme.equals("https");
        return new BackendConnection.Server(
                host, port == 0 ? (secure ? 443 : 80) : port, secure ? kubelets.anyCertificate(host) : null);
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("invalid port " + GoText.quoted(text));
        }
        throw StatusException.badRequest("invalid port " + GoText.quoted(text));
    }

    /** Users must not reach what listens on this machine only. */
    private static void requireRoutable(String host) {
        try {
            if (host.isEmpty()) {
                throw StatusException.badRequest("address not allowed");
            }
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (address.isLoopbackAddress()
                        || address.isLinkLocalAddress()
                        || address.isAnyLocalAddress()
                        || address.isMulticastAddress()) {
                    throw StatusException.badRequest("address not allowed");
                }
            }
        } catch (UnknownHostException e) {
            throw StatusException.badRequest("lookup " + host + ": no such host");
        }
    }
}

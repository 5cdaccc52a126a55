/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.http.proxy.BackendProxy;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the logs of containers, and commands and connections into pods (upstream: {@code
 * pkg/registry/core/pod/rest}). The kubelet of the pod's node answers, or the host of containers in this process.
 * Thread-safe.
 */
final class ContainerRoute {

    private static final Pattern PATH =
            Pattern.compile("/api/v1/namespaces/([^/]+)/pods/([^/]+)/(log|exec|attach|portforward)/*");

    /** The most bytes of a kubelet's error that a client sees; upstream's bound. */
    private static final int MAX_ERROR = 50_000;

    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final Map<String, String> STREAM_FLAGS =
            Map.of("stdin", "input", "stdout", "output", "stderr", "error", "tty", "tty");
    private static final Map<String, String> KINDS =
            Map.of("exec", "PodExecOptions", "attach", "PodAttachOptions", "portforward", "PodPortForwardOptions");
    private static final Set<String> STREAM_METHODS = Set.of("GET", "POST");

    private final ObjectReader objects;
    private final Authorizer authorizer;
    private final Connections connections;
    private final KubeletAccess kubelets;
    private final @Nullable HostedContainers hosted;
    private final BackendProxy proxy;

    /**
     * Creates a route.
     *
     * @param connections decides about connections into pods
     * @param hosted serves the containers of a host in this process; null for none
     */
    ContainerRoute(
            ObjectReader objects,
            Authorizer authorizer,
            Connections connections,
            KubeletAccess kubelets,
            @Nullable HostedContainers hosted,
            BackendProxy proxy) {
        this.objects = objects;
        this.authorizer = authorizer;
        this.connections = connections;
        this.kubelets = kubelets;
        this.hosted = hosted;
        this.proxy = proxy;
    }

    /** Serves the request if it is about a container, and returns false otherwise. */
    boolean serve(HttpApiExchange exchange, UserInfo user) throws IOException {
        Matcher path = PATH.matcher(exchange.path());
        if (!path.matches()) {
            return false;
        }
        String namespace = path.group(1);
        String name = path.group(2);
        String part = path.group(3);
        String podPath = "/api/v1/namespaces/" + namespace + "/pods/" + name;
        if (part.equals("log")) {
            serveLog(exchange, user, podPath, name);
            return true;
        }
        if (!STREAM_METHODS.contains(exchange.method())) {
            throw StatusException.methodNotAllowed();
        }
        // Upstream: a WebSocket is opened by GET, for which the verb get was enough in earlier releases.
        AccessRequest.Target target = new AccessRequest.Target("", "pods", part, namespace, name);
        authorizer.require(user, AccessRequest.of("create", target));
        connections.admit(user, target, options(part, exchange));
        JsonObject pod = objects.require(podPath, user);
        String container = part.equals("portforward")
                ? ""
                : container(pod, exchange.query().getOrDefault("container", ""));
        if (pod.string("spec", "nodeName").isEmpty()) {
            throw StatusException.badRequest("pod " + name + " does not have a host assigned");
        }
        HostedContainers host = hostOf(pod);
        BackendConnection.Server kubelet = host == null ? kubelet(pod, user, false) : null;
        if (!BackendProxy.isUpgrade(exchange.wire())) {
            throw StatusException.badRequest("Upgrade request required");
        }
        if (host != null && part.equals("portforward")) {
            host.forward(exchange, pod);
        } else if (host != null) {
            host.command(exchange, new ContainerHost.Container(pod, container), part.equals("attach"));
        } else {
            relay(exchange, Objects.requireNonNull(kubelet), part, pod, container);
        }
        return true;
    }

    /** Returns what the client wants, as admission receives it. */
    private static JsonObject options(String part, HttpApiExchange exchange) {
        JsonObject.Builder options = JsonObject.builder()
                .put("kind", Objects.requireNonNull(KINDS.get(part), part))
                .put("apiVersion", "v1");
        if (part.equals("portforward")) {
            List<JsonNumber> ports = exchange.queryValues("ports").stream()
                    .flatMap(list -> List.of(list.split(",", -1)).stream())
                    .filter(port -> port.length() < 6 && port.chars().allMatch(c -> c >= '0' && c <= '9'))
                    .map(port -> JsonNumber.of(Integer.parseInt("0" + port)))
                    .toList();
            return ports.isEmpty()
                    ? options.build()
                    : options.put("ports", JsonArray.of(ports)).build();
        }
        Map<String, String> query = exchange.query();
        for (String flag : List.of("stdin", "stdout", "stderr", "tty")) {
            if (LogQuery.flag(query, flag)) {
                options.put(flag, true);
            }
        }
        String container = query.getOrDefault("container", "");
        if (!container.isEmpty()) {
            options.put("container", container);
        }
        if (part.equals("exec")) {
            options.put("command", JsonArray.ofStrings(exchange.queryValues("command")));
        }
        return options.build();
    }

    private @Nullable HostedContainers hostOf(JsonObject pod) {
        return hosted != null && hosted.hosts(pod) ? hosted : null;
    }

    private void relay(
            HttpApiExchange exchange, BackendConnection.Server kubelet, String part, JsonObject pod, String container)
            throws IOException {
        String kind = part.equals("portforward") ? "portForward" : part;
        String target = "/" + kind + "/" + pod.string("metadata", "namespace") + "/" + pod.string("metadata", "name")
                + (container.isEmpty() ? "" : "/" + container) + "?"
                + forKubelet(part, exchange);
        try {
            proxy.relay(exchange.wire(), new BackendProxy.Destination(kubelet, target, Map.of(), Duration.ZERO));
        } catch (BackendException e) {
            throw StatusException.unclassified("error dialing backend: " + e.getMessage());
        }
    }

    /** Returns the query of a kubelet for a stream; its parameters have other names. */
    private static String forKubelet(String part, HttpApiExchange exchange) {
        if (part.equals("portforward")) {
            return parameters("port", exchange.queryValues("ports"));
        }
        Map<String, String> query = exchange.query();
        List<String> parameters = new ArrayList<>();
        STREAM_FLAGS.forEach((name, kubelets) -> {
            if (LogQuery.flag(query, name)) {
                parameters.add(kubelets + "=1");
            }
        });
        if (part.equals("exec")) {
            parameters.add(parameters("command", exchange.queryValues("command")));
        }
        return String.join("&", parameters);
    }

    private static String parameters(String name, List<String> values) {
        return String.join(
                "&",
                values.stream()
                        .map(value -> name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8))
                        .toList());
    }

    private void serveLog(HttpApiExchange exchange, UserInfo user, String podPath, String name) throws IOException {
        if (!exchange.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
        LogQuery query = LogQuery.read(exchange.query(), name);
        JsonObject pod = objects.require(podPath, user);
        String container = container(pod, query.container());
        if (pod.string("spec", "nodeName").isEmpty()) {
            exchange.replyNothing(200); // as upstream, a pod that has not been scheduled has an empty log
            return;
        }
        HostedContainers host = hostOf(pod);
        if (host != null) {
            host.log(exchange, new ContainerHost.Container(pod, container), query.options());
            return;
        }
        BackendConnection.Server kubelet = kubelet(pod, user, query.skipVerification());
        String target = "/containerLogs/" + pod.string("metadata", "namespace") + "/" + name + "/" + container + "?"
                + query.forKubelet();
        try {
            proxy.relay(
                    exchange.wire(),
                    new BackendProxy.Destination(kubelet, target, Map.of(), Duration.ZERO),
                    response -> requireSuccess(response, name));
        } catch (BackendException e) {
            throw StatusException.unclassified(
                    "Get \"https://" + kubelet.authority() + target + "\": " + e.getMessage());
        }
    }

    private BackendConnection.Server kubelet(JsonObject pod, UserInfo user, boolean skipVerification) {
        JsonObject node = objects.require("/api/v1/nodes/" + pod.string("spec", "nodeName"), user);
        return kubelets.kubelet(node, skipVerification);
    }

    /** Converts a failure of the kubelet, as upstream's checker of responses does. */
    private static void requireSuccess(BackendConnection.Response response, String name) throws IOException {
        int code = response.code();
        if (code >= 200 && code <= 206) {
            return;
        }
        String text = new String(response.body().readNBytes(MAX_ERROR), StandardCharsets.UTF_8);
        if (code == 500) {
            throw StatusException.internalError(text);
        }
        if (code == 400) {
            throw StatusException.badRequest(text);
        }
        throw StatusException.ofBackend(code, "pods/log", name, text);
    }

    /** Returns the container that a request is about (upstream: {@code validateContainer}). */
    private static String container(JsonObject pod, String named) {
        String name = pod.string("metadata", "name");
        List<String> all = CONTAINERS.stream().flatMap(list -> names(pod, list)).toList();
        if (!named.isEmpty()) {
            if (!all.contains(named)) {
                throw StatusException.badRequest("container " + named + " is not valid for pod " + name);
            }
            return named;
        }
        List<String> containers = names(pod, "containers").toList();
        if (containers.size() == 1) {
            return containers.get(0);
        }
        throw StatusException.badRequest("a container name must be specified for pod " + name
                + (containers.isEmpty() ? "" : ", choose one of: [" + String.join(" ", all) + "]"));
    }

    private static Stream<String> names(JsonObject pod, String list) {
        return pod.array("spec", list).objects().map(container -> container.string("name"));
    }
}

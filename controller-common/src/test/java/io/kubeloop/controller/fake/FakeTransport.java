/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An API server that follows a script: it holds the given objects, responds as scripted and records the requests
 * (upstream: the fake clientset and its reactors).
 *
 * <p>A create is answered with the object (a generated name ends in {@code NEW}, or in a number where created objects
 * are kept), an update with the object sent, a patch with the object as it was: nothing changes what is held unless
 * {@link #keepCreated} was called. Watches are refused: tests of controllers bring their own informers.
 *
 * <p>Thread-safe. {@code KubeClient.of(transport, codec)} makes a client of it.
 */
public final class FakeTransport implements Transport {

    private static final Map<String, Object> SUCCESS =
            Map.of("kind", "Status", "apiVersion", "v1", "status", "Success");

    @GuardedBy("this")
    private final Map<String, Map<String, @Nullable Object>> objects = new LinkedHashMap<>();

    @GuardedBy("this")
    private final List<Fault> faults = new ArrayList<>();

    @GuardedBy("this")
    private final List<Action> actions = new ArrayList<>();

    @GuardedBy("this")
    private final Map<String, Integer> calls = new HashMap<>();

    @GuardedBy("this")
    private boolean keepCreated;

    @GuardedBy("this")
    private int created;

    /** Holds this object, in place of any of its name. */
    public synchronized FakeTransport with(String resource, Map<String, @Nullable Object> object) {
        objects.put(key(resource, metadata(object, "namespace"), metadata(object, "name")), object);
        return this;
    }

    /** Holds the object no longer. */
    public synchronized void remove(String resource, ObjectName name) {
        objects.remove(key(resource, name.namespace(), name.name()));
    }

    /** Adds a fault. */
    public synchronized FakeTransport with(Fault fault) {
        faults.add(fault);
        return this;
    }

    /** Ends all faults. */
    public synchronized void clearFaults() {
        faults.clear();
    }

    /** Keeps created objects, under generated names that differ, and forgets deleted ones. */
    public synchronized FakeTransport keepCreated() {
        keepCreated = true;
        return this;
    }

    /** Returns all requests, in order. */
    public synchronized List<Action> actions() {
        return List.copyOf(actions);
    }

    /** Returns the requests with this verb for this resource, subresources included. */
    public synchronized List<Action> actions(String verb, String resource) {
        return actions.stream()
                .filter(action ->
                        action.verb().equals(verb) && action.resource().equals(resource))
                .toList();
    }

    /** Returns the objects that are held of a resource. */
    public synchronized List<Map<String, @Nullable Object>> objects(String resource) {
        return objects.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(resource + "|"))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Forgets all requests. */
    public synchronized void clearActions() {
        actions.clear();
        calls.clear();
    }

    @Override
    public synchronized ApiResponse execute(ApiRequest request) {
        ApiPath path = ApiPath.parse(request.path());
        String verb = verb(request, path);
        int call = calls.merge(verb + " " + path.resource() + "/" + path.subresource(), 1, Integer::sum);
        ApiRequest.Body body = request.body();
        String sent = body == null ? "" : new String(body.bytes(), StandardCharsets.UTF_8);
        String name = verb.equals("create") ? metadata(parsed(sent), "name") : path.name();
        Fault fault = faults.stream()
                .filter(f -> f.hits(verb, path, name, call))
                .findFirst()
                .orElse(null);
        actions.add(new Action(
                verb,
                path.resource(),
                path.subresource(),
                path.namespace(),
                path.name(),
                body == null ? "" : body.contentType(),
                sent,
                fault != null));
        if (fault != null && fault.broken() == TransportException.Kind.CONNECT) {
            throw new TransportException(TransportException.Kind.CONNECT, fault.message(), null);
        }
        if (fault != null && fault.broken() == null) {
            return refuse(fault.code(), fault.reason(), fault.message(), fault.cause());
        }
        ApiResponse response = answer(verb, path, actions.get(actions.size() - 1));
        if (fault != null) {
            throw new TransportException(
                    Objects.requireNonNull(fault.broken()), request.describe() + ": the answer was lost", null);
        }
        return response;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> parsed(String object) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parse(object));
    }

    @GuardedBy("this")
    private ApiResponse answer(String verb, ApiPath path, Action action) {
        String key = key(path.resource(), path.namespace(), path.name());
        Map<String, @Nullable Object> held = objects.get(key);
        return switch (verb) {
            case "list" -> ok(listOf(path));
            case "create" -> ok(create(path, action.object()));
            case "update" -> ok(action.object());
            case "delete" -> keepCreated && objects.remove(key) == null ? notFound(path) : ok(SUCCESS);
            default -> held == null ? notFound(path) : ok(held);
        };
    }

    private Map<String, @Nullable Object> listOf(ApiPath path) {
        List<Map<String, @Nullable Object>> items = objects(path.resource()).stream()
                .filter(object -> path.namespace().isEmpty() || path.namespace().equals(metadata(object, "namespace")))
                .toList();
        Map<String, @Nullable Object> list = new LinkedHashMap<>();
        list.put("kind", "List");
        list.put("apiVersion", "v1");
        list.put("metadata", Map.of("resourceVersion", "1"));
        list.put("items", items);
        return list;
    }

    @GuardedBy("this")
    private Map<String, @Nullable Object> create(ApiPath path, Map<String, @Nullable Object> sent) {
        Map<String, @Nullable Object> stored = new LinkedHashMap<>(sent);
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        if (sent.get("metadata") instanceof Map<?, ?> given) {
            given.forEach((name, value) -> metadata.put((String) name, value));
        }
        created++;
        String suffix = keepCreated ? Integer.toString(created) : "NEW";
        metadata.putIfAbsent("name", metadata(sent, "generateName") + suffix);
        metadata.put("namespace", path.namespace());
        metadata.putIfAbsent("uid", "uid-" + metadata.get("name"));
        metadata.putIfAbsent("resourceVersion", Integer.toString(1000 + created));
        stored.put("metadata", metadata);
        if (keepCreated) {
            with(path.resource(), stored);
        }
        return stored;
    }

    private static String verb(ApiRequest request, ApiPath path) {
        return switch (request.method()) {
            case "GET" -> path.name().isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            default -> request.method().toLowerCase(Locale.ROOT);
        };
    }

    private static ApiResponse ok(Map<String, ?> body) {
        return response(200, body);
    }

    private static ApiResponse notFound(ApiPath path) {
        return refuse(404, "NotFound", path.qualifiedResource() + " \"" + path.name() + "\" not found", "");
    }

    private static ApiResponse refuse(int code, String reason, String message, String cause) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("kind", "Status");
        status.put("apiVersion", "v1");
        status.put("status", "Failure");
        status.put("message", message);
        status.put("reason", reason);
        status.put("code", BigDecimal.valueOf(code));
        if (!cause.isEmpty()) {
            status.put("details", Map.of("causes", List.of(Map.of("reason", cause))));
        }
        return response(code, status);
    }

    private static ApiResponse response(int code, Map<String, ?> body) {
        byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
        return new ApiResponse(code, Map.of("content-type", List.of(ApiRequest.JSON)), new ByteArrayInputStream(bytes));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new TransportException(
                TransportException.Kind.CONFIGURATION, request.describe() + ": the fake server has no watches", null);
    }

    @Override
    public void close() {}

    private static String key(String resource, String namespace, String name) {
        return resource + "|" + namespace + "/" + name;
    }

    private static String metadata(Map<String, ?> object, String member) {
        return object.get("metadata") instanceof Map<?, ?> metadata && metadata.get(member) instanceof String text
                ? text
                : "";
    }
}

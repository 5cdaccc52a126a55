/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.ServiceResolver.Problem;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Follows the objects {@code APIService}, and forwards requests to the servers of those with a service. */
public final class Aggregator implements AggregatedApis, RemoteApi.Outcome {

    /*
     * Invariants
     *   G1  remote contains an entry for each APIService with a service. Its thread runs, or the caller of follow()
     *       that has added it is about to start it. It is replaced, never modified; specs belongs to the same state.
     *   G2  A change of an APIService that is visible before the lock is taken is in remote afterwards.
     * remote is replaced under the lock. Every thread that writes an APIService takes the lock in follow(), which does
     * not block, and starts threads after it has released the lock. The threads write without it.
     */

    private static final String API_VERSION = "apiregistration.k8s.io/v1";
    private static final String KIND = "APIService";
    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final Duration ENDING = Duration.ofSeconds(2);

    private final ServerContent content;
    private final ResourceStore apiServices;
    private final ServiceResolver services;
    private final ProxyIdentity identity;
    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final AtomicLong version = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, JsonObject> specs = new HashMap<>();

    private volatile Map<String, RemoteApi> remote = Map.of();

    @GuardedBy("lock")
    private boolean isClosed;

    private Aggregator(ServerContent content, ProxyIdentity identity) {
        this.content = content;
        this.identity = identity;
        apiServices = Objects.requireNonNull(content.backend().storeOfKind(API_VERSION, KIND), KIND);
        services = content.backend().kinds().services(content.backend());
    }

    /**
     * Starts to forward requests for a server; returns {@link AggregatedApis#NONE} if it does not serve the kind {@code
     * APIService}.
     */
    public static AggregatedApis start(ServerContent content) {
        if (content.backend().storeOfKind(API_VERSION, KIND) == null) {
            return NONE;
        }
        Aggregator aggregator = new Aggregator(
                content, ProxyIdentity.create(content.backend().now().instant()));
        content.backend().storage().onWrite(aggregator.apiServices.bucket(), aggregator::follow);
        aggregator.services.onChange(() -> aggregator.remote.values().forEach(RemoteApi::touchIfChanged));
        aggregator.follow();
        return aggregator;
    }

    /** Returns what other servers must know in order to accept the requests that this server forwards. */
    public Map<String, String> published() {
        return identity.published();
    }

    private void follow() {
        List<RemoteApi> added = new ArrayList<>();
        lock.lock();
        try {
            if (!isClosed) {
                follow(added);
            }
        } finally {
            lock.unlock();
        }
        added.forEach(api -> threads.start("kubeloop-aggregated", api::run));
    }

    /** Brings {@code remote} up to date; the caller starts the threads of the entries that are added. */
    @GuardedBy("lock")
    private void follow(List<RemoteApi> added) {
        Map<String, RemoteApi> before = remote;
        Map<String, RemoteApi> now = new HashMap<>();
        for (StoredObject object :
                apiServices.objects(content.backend().storage().snapshot(), "")) {
            JsonObject spec = object.tree().object("spec");
            if (!spec.object("service").isEmpty()) {
                String path = "/apis/" + spec.string("group") + "/" + spec.string("version");
                now.put(path, followed(object.tree(), before.get(path), added));
            }
        }
        if (now.isEmpty() && before.isEmpty()) {
            return;
        }
        remote = Map.copyOf(now);
        before.forEach((path, api) -> {
            if (!now.containsKey(path)) {
                specs.remove(api.name());
                api.end();
            }
        });
        version.incrementAndGet();
    }

    @GuardedBy("lock")
    private RemoteApi followed(JsonObject object, @Nullable RemoteApi known, List<RemoteApi> added) {
        JsonObject spec = object.object("spec");
        String name = Meta.name(object);
        if (known != null && spec.equals(specs.get(name))) {
            return known;
        }
        specs.put(name, spec);
        RemoteServer server = new RemoteServer(spec, services, identity);
        if (known != null) {
            known.update(server);
            return known;
        }
        boolean isAvailable = object.array("status", "conditions")
                .objects()
                .anyMatch(condition ->
                        isAvailability(condition) && condition.string("status").equals("True"));
        RemoteApi api = new RemoteApi(spec.string("group"), spec.string("version"), server, isAvailable, this);
        added.add(api);
        return api;
    }

    private static boolean isAvailability(JsonObject condition) {
        return condition.string("type").equals("Available");
    }

    @Override
    public boolean checked(RemoteApi api, @Nullable Problem problem) {
        boolean isRecorded = content.updateStatus(API_VERSION, KIND, api.name(), object -> {
            JsonObject condition = JsonObject.EMPTY
                    .with("type", "Available")
                    .with("status", problem == null ? "True" : "False")
                    .with("lastTransitionTime", content.backend().now().toString())
                    .with("reason", problem == null ? "Passed" : problem.reason())
                    .with("message", problem == null ? "all checks passed" : problem.message());
            return object.object("spec").object("service").isEmpty() ? object : with(object, condition);
        });
        // An object that is gone has no condition; its deletion ends the thread.
        return isRecorded || remote.get(api.discovered().path()) != api;
    }

    private static JsonObject with(JsonObject object, JsonObject condition) {
        List<JsonObject> others = new ArrayList<>();
        JsonObject wanted = condition;
        for (JsonObject before : object.array("status", "conditions").objects().toList()) {
            if (!isAvailability(before)) {
                others.add(before);
            } else if (before.string("status").equals(condition.string("status"))) {
                wanted = condition.with("lastTransitionTime", before.string("lastTransitionTime"));
            }
        }
        others.add(wanted);
        return object.with(List.of("status", "conditions"), JsonArray.of(others));
    }

    @Override
    public void discovered() {
        version.incrementAndGet();
    }

    @Override
    public long version() {
        return version.get();
    }

    @Override
    public List<Version> versions() {
        return remote.values().stream().map(RemoteApi::discovered).toList();
    }

    @Override
    public Priority priority(String group, String groupVersion) {
        Snapshot now = content.backend().storage().snapshot();
        StoredObject found = now.get(apiServices.bucket(), groupVersion + "." + group);
        JsonObject spec = found == null ? JsonObject.EMPTY : found.tree().object("spec");
        Long ofGroup = spec.number("groupPriorityMinimum");
        Long ofVersion = spec.number("versionPriority");
        return ofGroup == null || ofVersion == null
                ? Priority.LOWEST
                : new Priority(ofGroup.intValue(), ofVersion.intValue());
    }

    /** Returns the API that serves a path; null if this server does. O(1). */
    public @Nullable RemoteApi at(String path) {
        Map<String, RemoteApi> now = remote;
        if (now.isEmpty() || !path.startsWith("/apis/")) {
            return null;
        }
        int group = path.indexOf('/', "/apis/".length());
        int end = group < 0 ? -1 : path.indexOf('/', group + 1);
        return now.get(end < 0 ? path : path.substring(0, end));
    }

    /** Returns the API whose server has the OpenAPI v3 document of this path; null if there is none. */
    public @Nullable RemoteApi withDocument(String path) {
        return remote.values().stream()
                .filter(api -> api.discovered().openApi().containsKey(path))
                .findFirst()
                .orElse(null);
    }

    @Override
    public @Nullable ServerResponse handle(ApiRequest request, UserInfo user) {
        RemoteApi api = at(request.path());
        if (api == null) {
            return null;
        }
        try {
            return api.isAvailable() ? forward(api.server(), request, user) : unavailable("service unavailable");
        } catch (IOException e) {
            return unavailable("error trying to reach service: " + e.getMessage());
        }
    }

    private static ServerResponse unavailable(String message) {
        StatusException failure = StatusException.of(503, "ServiceUnavailable", message);
        return ServerResponse.Document.of(failure.code(), failure.status());
    }

    private ServerResponse forward(RemoteServer server, ApiRequest request, UserInfo user) throws IOException {
        ApiRequest.Body body = request.body();
        Map<String, List<String>> headers = new HashMap<>();
        headers.put("Accept", List.of(request.accept()));
        if (body != null) {
            headers.put("Content-Type", List.of(body.contentType()));
        }
        BackendConnection connection = server.send(
                server.server(),
                request.method(),
                target(request),
                user,
                headers,
                body == null ? null : body.bytes(),
                CONNECT);
        boolean isStream = false;
        try {
            Duration limit = request.deadline() == null ? Duration.ZERO : request.deadline();
            BackendConnection.Response response = connection.response(false, limit);
            isStream = response.code() == 200
                    && Set.of("true", "1").contains(request.query().getOrDefault("watch", ""));
            return isStream
                    ? new RemoteFrames(connection, response.body())
                    : ServerResponse.Document.of(
                            response.code(), response.body().readAllBytes());
        } finally {
            if (!isStream) {
                connection.close();
            }
        }
    }

    private static String target(ApiRequest request) {
        String query = request.query().entrySet().stream()
                .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? request.path() : request.path() + "?" + query;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        Map<String, RemoteApi> ended;
        lock.lock();
        try {
            isClosed = true;
            ended = remote;
            remote = Map.of();
        } finally {
            lock.unlock();
        }
        ended.values().forEach(RemoteApi::end);
        threads.await(ENDING);
    }
}

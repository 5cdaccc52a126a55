/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendConnection.Server;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.rest.ServiceResolver.Problem;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One group version of another server: checks in its own thread whether the server is available, and reads what it
 * serves (upstream: {@code kube-aggregator/pkg/controllers/status/remote}, {@code pkg/apiserver/handler_discovery.go}
 * and {@code pkg/controllers/openapiv3}). The times are real ones, because the other server has no simulated clock.
 */
public final class RemoteApi {

    private static final Logger log = LoggerFactory.getLogger(RemoteApi.class);

    // A1  server, isAvailable and discovered are replaced, never modified. The thread of this object writes the last
    // two.
    // A2  A check that begins after touch() or update() sees their changes: each sets due before it returns.
    //
    /* Nothing blocks under the lock. */

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String JSON = "application/json";
    private static final UserInfo AGGREGATOR =
            new UserInfo("system:kube-aggregator", "", List.of("system:masters"), Map.of());
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RECHECK = Duration.ofSeconds(30);
    private static final Duration FIRST_RETRY = Duration.ofMillis(5);

    /** The number of checks after which the OpenAPI documents are read again. */
    private static final int OPEN_API_CHECKS = 10;

    /** A longer document of another server is refused. */
    private static final int LONGEST_DOCUMENT = 32 << 20;

    private final String group;
    private final String version;
    private final Outcome outcome;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();
    private volatile RemoteServer server;
    private volatile boolean isAvailable;
    private volatile AggregatedApis.Version discovered;

    @GuardedBy("lock")
    private boolean due = true;

    @GuardedBy("lock")
    private boolean isEnded;

    @GuardedBy("lock")
    private @Nullable BackendConnection open;

    private int failures;
    private int checks;

    /** Receives the results of checks, on the thread of the check. */
    interface Outcome {

        /**
         * Records whether the server is available.
         *
         * @param problem why it is not; null if it is
         * @return whether it has been recorded; otherwise the check is repeated
         */
        boolean checked(RemoteApi api, @Nullable Problem problem);

        /** Publishes what the server serves. */
        void discovered();
    }

    RemoteApi(String group, String version, RemoteServer server, boolean isAvailable, Outcome outcome) {
        this.group = group;
        this.version = version;
        this.server = server;
        this.isAvailable = isAvailable;
        this.outcome = outcome;
        discovered = new AggregatedApis.Version(group, version, null, false, Map.of(), JsonObject.EMPTY);
    }

    /**
     * Returns the headers that name the user of a forwarded request.
     *
     * @throws BackendException if a header cannot have the name
     */
    public static Map<String, List<String>> identity(UserInfo user) throws BackendException {
        return ProxyIdentity.headers(user);
    }

    /** Returns the name of the {@code APIService}. */
    String name() {
        return version + "." + group;
    }

    /** Returns how the server can be reached now. */
    public RemoteServer server() {
        return server;
    }

    /** Returns whether the last check has reached the server. */
    public boolean isAvailable() {
        return isAvailable;
    }

    /** Returns what the server serves, as far as it is known. */
    AggregatedApis.Version discovered() {
        return discovered;
    }

    /** Replaces the way to the server, and checks it at once. */
    void update(RemoteServer changed) {
        server = changed;
        touch();
    }

    /** Checks the server at once. Does not block. */
    void touch() {
        lock.lock();
        try {
            due = true;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Checks the server at once if it is not available, or has become unreachable. Does not block. */
    void touchIfChanged() {
        if (!isAvailable || server.serviceProblem() != null) {
            touch();
        }
    }

    /** Ends the thread. Does not wait for it. */
    void end() {
        BackendConnection current;
        lock.lock();
        try {
            isEnded = true;
            current = open;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.close();
        }
    }

    /** Checks until {@link #end}. */
    void run() {
        Duration delay = Duration.ZERO;
        while (awaitNext(delay)) {
            boolean isFine = false;
            try {
                isFine = check();
            } catch (RuntimeException e) {
                log.warn("A check of an API service failed; it is repeated: name={} error={}", name(), e.toString());
            }
            failures = isFine ? 0 : Math.min(failures + 1, 13);
            Duration retry = FIRST_RETRY.multipliedBy(1L << failures);
            delay = isFine || retry.compareTo(RECHECK) > 0 ? RECHECK : retry;
        }
    }

    private boolean awaitNext(Duration delay) {
        lock.lock();
        try {
            long left = delay.toNanos();
            while (!due && !isEnded && left > 0) {
                left = wake.awaitNanos(left);
            }
            due = false;
            return !isEnded;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean check() {
        RemoteServer checked = server;
        if (!checked.problem().isEmpty()) {
            return false; // as upstream, the condition stays; requests are answered with the problem
        }
        Problem problem = checked.serviceProblem();
        JsonObject listed = null;
        if (problem == null) {
            try {
                listed = probe(checked);
            } catch (IOException e) {
                problem = new Problem("FailedDiscoveryCheck", String.valueOf(e.getMessage()));
            }
        }
        isAvailable = problem == null;
        if (!outcome.checked(this, problem)) {
            touch();
            return false;
        }
        if (problem != null) {
            publish(null, false);
            return false;
        }
        return discover(checked, listed);
    }

    /** Reads the document that every server with this group version has; null if it is none. */
    private @Nullable JsonObject probe(RemoteServer checked) throws IOException {
        Server address = checked.server();
        String path = discovered.path();
        String url = "https://" + address.authority() + path;
        String failing = "failing or missing response from " + url + ": ";
        Answer answer;
        try {
            answer = get(checked, address, path, JSON, AGGREGATOR);
        } catch (IOException e) {
            throw new IOException(failing + "Get " + GoText.quoted(url) + ": " + e.getMessage(), e);
        }
        if (answer.code() < 200 || answer.code() > 299) {
            throw new IOException(failing + "bad status from " + url + ": " + answer.code());
        }
        return answer.json();
    }

    private boolean discover(RemoteServer checked, @Nullable JsonObject listed) {
        JsonArray resources = null;
        boolean isCurrent = true;
        try {
            Answer answer = get(checked, checked.server(), "/apis", AGGREGATED, AGGREGATOR);
            JsonObject document = answer.isAggregated() ? answer.json() : null;
            if (document != null) {
                resources = ofVersion(document);
            } else if (listed != null && answer.code() != 503) {
                resources = LegacyDiscovery.aggregated(listed.array("resources"));
            } else {
                isCurrent = false;
            }
            if (checks++ % OPEN_API_CHECKS == 0) {
                readOpenApi(checked);
            }
        } catch (IOException e) {
            log.debug("Cannot read what an API service serves: name={} error={}", name(), e.toString());
            isCurrent = false;
            checks = 0;
        }
        publish(isCurrent ? resources : null, isCurrent);
        return isCurrent;
    }

    /** Returns the resources of this group version in a document of aggregated discovery; null if it has none. */
    private @Nullable JsonArray ofVersion(JsonObject document) {
        return document.array("items")
                .objects()
                .filter(item -> item.string("metadata", "name").equals(group))
                .flatMap(item -> item.array("versions").objects())
                .filter(item -> item.string("version").equals(version) && item.has("resources"))
                .map(item -> item.array("resources"))
                .findFirst()
                .orElse(null);
    }

    private void readOpenApi(RemoteServer checked) throws IOException {
        UserInfo user = new UserInfo("system:aggregator", "", List.of(), Map.of());
        JsonObject index =
                get(checked, checked.server(), "/openapi/v3", JSON, user).json();
        JsonObject swagger =
                get(checked, checked.server(), "/openapi/v2", JSON, user).json();
        Map<String, String> paths = new LinkedHashMap<>();
        if (index != null) {
            JsonObject listed = index.object("paths");
            listed.members()
                    .keySet()
                    .forEach(path -> paths.put(path, listed.object(path).string("serverRelativeURL")));
        }
        AggregatedApis.Version known = discovered;
        discovered = new AggregatedApis.Version(
                group,
                version,
                known.resources(),
                known.isCurrent(),
                Map.copyOf(paths),
                swagger == null ? JsonObject.EMPTY : swagger);
        if (!discovered.equals(known)) {
            outcome.discovered();
        }
    }

    private void publish(@Nullable JsonArray resources, boolean isCurrent) {
        AggregatedApis.Version known = discovered;
        if (known.isCurrent() != isCurrent || !Objects.equals(known.resources(), resources)) {
            discovered =
                    new AggregatedApis.Version(group, version, resources, isCurrent, known.openApi(), known.swagger());
            outcome.discovered();
        }
    }

    /** A response that has arrived. */
    private record Answer(int code, String contentType, byte[] body) {

        /** Returns the document; null if the response has none. */
        @Nullable
        JsonObject json() {
            if (code != 200 || body.length > LONGEST_DOCUMENT) {
                return null;
            }
            try {
                return JsonObject.parse(body);
            } catch (RuntimeException e) {
                return null; // a server may send anything
            }
        }

        boolean isAggregated() {
            return code == 200
                    && contentType.contains("g=apidiscovery.k8s.io")
                    && contentType.contains("v=v2;")
                    && contentType.contains("as=APIGroupDiscoveryList");
        }
    }

    /** Sends a request of this server. Blocks for about twice the timeout at most. */
    private Answer get(RemoteServer to, Server address, String path, String accept, UserInfo user) throws IOException {
        Map<String, List<String>> headers = Map.of("Accept", List.of(accept));
        try (BackendConnection connection = to.send(address, "GET", path, user, headers, null, TIMEOUT)) {
            hold(connection);
            Scheduler.Task late = Scheduler.system().schedule(TIMEOUT.multipliedBy(2), connection::close);
            try {
                BackendConnection.Response response = connection.response(false, TIMEOUT);
                List<String> type = response.headers().getOrDefault("Content-Type", List.of(""));
                return new Answer(response.code(), type.get(0), response.body().readNBytes(LONGEST_DOCUMENT + 1));
            } finally {
                late.cancel();
                hold(null);
            }
        }
    }

    private void hold(@Nullable BackendConnection connection) throws IOException {
        lock.lock();
        try {
            open = connection;
            if (isEnded) {
                throw new IOException("the server is closing");
            }
        } finally {
            lock.unlock();
        }
    }
}

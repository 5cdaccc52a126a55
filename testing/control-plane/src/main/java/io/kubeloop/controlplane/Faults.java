/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.RequestFilter;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Failures that a test injects into its control plane. They meet the clients of the test, in the process and over HTTP;
 * the control plane's own controllers and kubelet are not affected.
 *
 * <pre>{@code
 * faults.next(RequestMatch.watches(PODS)).expire();
 * faults.next(RequestMatch.updates(DEPLOYMENTS)).conflict();
 * faults.next(RequestMatch.any()).tooManyRequests(Duration.ofSeconds(2));
 * }</pre>
 *
 * <p>A fault applies to one request, the first that matches. Of several faults that match a request, the oldest
 * applies. Discovery, OpenAPI and health documents over HTTP do not pass here.
 *
 * <p>Thread-safe. {@link #stopKubelet} blocks; the other methods do not.
 */
public final class Faults {

    private final List<Planned> planned = new CopyOnWriteArrayList<>();
    private final Set<ServerResponse.Frames> open = ConcurrentHashMap.newKeySet();
    private final ApiServer server;
    private final KubeletSwitch kubelet;

    /** Stops and starts the kubelet of a control plane. */
    interface KubeletSwitch {
        void set(boolean on);
    }

    /** A fault with the requests that it is for. */
    private record Planned(RequestMatch match, RequestFilter effect) {}

    Faults(ApiServer server, KubeletSwitch kubelet) {
        this.server = server;
        this.kubelet = kubelet;
    }

    /** Returns the choice of the fault for the next request that matches. Without a choice there is no fault. */
    public NextFault next(RequestMatch match) {
        return new NextFault(match);
    }

    /** The fault of one request. A call of one of its methods plans it; several calls plan one fault each. */
    public final class NextFault {

        private final RequestMatch match;

        private NextFault(RequestMatch match) {
            this.match = match;
        }

        /**
         * Answers with this failure, and does not execute the request.
         *
         * @param code the HTTP status, from 400
         * @param reason the reason of the {@code Status}, such as {@code ServiceUnavailable}
         */
        public void fail(int code, String reason, String message) {
            plan((request, next) -> document(StatusException.of(code, reason, message), 0));
        }

        /** Answers with 409, as if another client had changed the object since it was read. */
        public void conflict() {
            plan((request, next) -> document(
                    StatusException.of(
                            409,
                            "Conflict",
                            "Operation cannot be fulfilled on " + RequestMatch.plural(request) + " \""
                                    + RequestMatch.name(request)
                                    + "\": the object has been modified; please apply your changes to the latest "
                                    + "version and try again"),
                    0));
        }

        /** Answers with 410: a list with the status, a watch with an event of type {@code ERROR}. */
        public void expire() {
            plan((request, next) -> {
                StatusException failure =
                        StatusException.expired("The resourceVersion for the provided watch is too old.");
                return RequestMatch.isWatch(request)
                        ? new ReplacedFrames(WatchFrame.of(WatchFrame.ERROR, failure.status()))
                        : document(failure, 0);
            });
        }

        /**
         * Answers with 429 and the header {@code Retry-After}.
         *
         * @param retryAfter at least one second; fractions are dropped
         */
        public void tooManyRequests(Duration retryAfter) {
            long seconds = retryAfter.toSeconds();
            if (seconds < 1) {
                throw new IllegalArgumentException("Retry-After needs at least one second, got " + retryAfter);
            }
            plan((request, next) -> document(
                    StatusException.of(
                            429,
                            "TooManyRequests",
                            "The server has received too many requests and has asked us to try again later"),
                    seconds));
        }

        /** Answers with 500. */
        public void internalError() {
            plan((request, next) -> document(StatusException.internal("an injected fault"), 0));
        }

        /** Executes the request and then ends the connection, so the client does not learn the outcome. */
        public void loseResponse() {
            plan((request, next) -> {
                ServerResponse lost = next.apply(request);
                if (lost instanceof ServerResponse.Frames frames) {
                    frames.close();
                }
                throw new LostResponseException("an injected fault withholds the response of " + request.describe());
            });
        }

        /** Accepts a watch and ends it at once, without an event. Has no effect on other requests. */
        public void endWatch() {
            plan((request, next) -> RequestMatch.isWatch(request) ? new ReplacedFrames(null) : next.apply(request));
        }

        /**
         * Delays every event of a watch: none arrives before the time has passed. Has no effect on other requests.
         *
         * @param delay in the time of the control plane's clock
         */
        public void delayWatch(Duration delay) {
            Scheduler scheduler = server.scheduler();
            plan((request, next) -> {
                ServerResponse response = next.apply(request);
                return response instanceof ServerResponse.Frames frames
                        ? new DelayedFrames(frames, scheduler, delay)
                        : response;
            });
        }

        private void plan(RequestFilter effect) {
            planned.add(new Planned(match, effect));
        }
    }

    private static ServerResponse document(StatusException failure, long retryAfterSeconds) {
        JsonObject status = failure.status();
        if (retryAfterSeconds > 0) {
            status = status.with("details", JsonObject.EMPTY.with("retryAfterSeconds", retryAfterSeconds));
        }
        return new ServerResponse.Document(
                failure.code(), List.of(ByteBuffer.wrap(status.toBytes())), retryAfterSeconds, List.of());
    }

    /** Ends all open watches of the test's clients, as a server does that is restarted. */
    public void endWatches() {
        // A copy, because a client opens its next watch while this ends the others.
        List.copyOf(open).forEach(ServerResponse.Frames::close);
    }

    /**
     * Discards the history of the server, as etcd does every few minutes: watches from earlier versions fail with 410.
     */
    public void compact() {
        server.compact();
    }

    /**
     * Stops the kubelet: pods are no longer bound, started, reported or removed. Blocks until its threads have ended.
     * Without a kubelet there is no effect.
     */
    public void stopKubelet() {
        kubelet.set(false);
    }

    /** Starts a stopped kubelet again, with the same configuration. */
    public void startKubelet() {
        kubelet.set(true);
    }

    /** Returns the requests that planned faults still wait for, oldest first, in words. */
    public List<String> pending() {
        return planned.stream().map(fault -> fault.match().toString()).toList();
    }

    /** Removes all planned faults. */
    public void clear() {
        planned.clear();
    }

    ServerResponse apply(ApiRequest request, Function<ApiRequest, ServerResponse> next) {
        for (Planned fault : List.copyOf(planned)) {
            // Of two requests that match the same fault, the one that removes it has it.
            if (fault.match().matches(request) && planned.remove(fault)) {
                return opened(fault.effect().handle(request, next));
            }
        }
        return opened(next.apply(request));
    }

    private ServerResponse opened(ServerResponse response) {
        if (response instanceof ServerResponse.Frames frames) {
            OpenFrames watch = new OpenFrames(frames, open::remove);
            open.add(watch);
            return watch;
        }
        return response;
    }
}

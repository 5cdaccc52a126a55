/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.registry.RequestFilter;
import io.kubeloop.apiserver.registry.ServerResponse;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees every request of a control plane: counts it as work, records it, sets its field validation, and applies faults
 * and the filter of the user. Thread-safe.
 */
final class RequestGate implements RequestFilter {

    /** The number of requests that are kept for a report. */
    private static final int KEPT = 500;

    private static final Set<String> VALIDATED = Set.of("POST", "PUT", "PATCH");

    /** True on a thread that runs a request of the control plane's own parts. */
    private static final ThreadLocal<Boolean> OWN = ThreadLocal.withInitial(() -> false);

    private final Clock clock;
    private final @Nullable WorkCount work;
    private final String fieldValidation;
    private final RequestFilter inner;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<RecordedRequest> recorded = new ArrayDeque<>();

    /** Set once, when the server exists. */
    private volatile @Nullable Faults faults;

    /**
     * Creates a gate.
     *
     * @param work counts the requests; null for no count
     * @param fieldValidation the validation of writes that select none; empty for the server's default
     * @param inner receives what reaches the server, after the faults
     */
    RequestGate(Clock clock, @Nullable WorkCount work, String fieldValidation, RequestFilter inner) {
        this.clock = clock;
        this.work = work;
        this.fieldValidation = fieldValidation;
        this.inner = inner;
    }

    void attach(Faults planned) {
        faults = planned;
    }

    /** Returns a transport whose requests are the control plane's own. */
    static Transport own(Transport transport) {
        return new OwnTransport(transport);
    }

    List<RecordedRequest> recorded() {
        lock.lock();
        try {
            return List.copyOf(recorded);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ServerResponse handle(ApiRequest request, Function<ApiRequest, ServerResponse> server) {
        WorkCount count = work;
        if (count == null) {
            return filter(request, server);
        }
        count.begin(WorkCount.REQUESTS);
        try {
            ServerResponse response = filter(request, server);
            return response instanceof ServerResponse.Frames frames ? CountedFrames.of(frames, count) : response;
        } finally {
            count.end(WorkCount.REQUESTS);
        }
    }

    private ServerResponse filter(ApiRequest request, Function<ApiRequest, ServerResponse> server) {
        Faults planned = faults;
        Function<ApiRequest, ServerResponse> rest = passed -> inner.handle(passed, server);
        if (OWN.get() || planned == null) {
            return rest.apply(request);
        }
        int code = 0;
        try {
            ServerResponse response = planned.apply(validated(request), rest);
            code = response instanceof ServerResponse.Document document ? document.code() : 200;
            return response;
        } finally {
            record(new RecordedRequest(clock.instant(), request.method(), request.path(), request.query(), code));
        }
    }

    private void record(RecordedRequest request) {
        lock.lock();
        try {
            if (recorded.size() == KEPT) {
                recorded.remove();
            }
            recorded.add(request);
        } finally {
            lock.unlock();
        }
    }

    private ApiRequest validated(ApiRequest request) {
        if (fieldValidation.isEmpty()
                || !VALIDATED.contains(request.method())
                || !request.query().getOrDefault("fieldValidation", "").isEmpty()) {
            return request;
        }
        Map<String, String> query = new LinkedHashMap<>(request.query());
        query.put("fieldValidation", fieldValidation);
        return new ApiRequest(
                request.method(), request.path(), query, request.accept(), request.body(), request.deadline());
    }

    /** Marks the thread for the time of each request; the in-process transport runs the request on it. */
    private record OwnTransport(Transport transport) implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            return marked(() -> transport.execute(request));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return marked(() -> transport.stream(request));
        }

        private static <T> T marked(Supplier<T> call) {
            boolean before = OWN.get();
            OWN.set(true);
            try {
                return call.get();
            } finally {
                OWN.set(before);
            }
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}

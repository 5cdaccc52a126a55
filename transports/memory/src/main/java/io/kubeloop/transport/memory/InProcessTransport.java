/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.runtime.Scheduler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Calls the server directly, without a socket or a thread; the response carries the stored bytes. Thread-safe.
 * {@link #close} does not block.
 */
public final class InProcessTransport implements Transport {

    /*
     * Invariants:
     *   T1  Every open stream is in open, so close() reaches it. The thread that adds a stream after closed
     *       was set closes that stream: either close() finds it in the set, or the adding thread reads closed as
     *       true.
     *   T2  A closed stream does not stay in open. Either its close removes it, or the adding thread finds it
     *       closed and removes it.
     */

    private final Function<ApiRequest, ServerResponse> handler;
    private final Scheduler scheduler;
    private final Set<InProcessStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a transport to a server of this process.
     *
     * @param server executes the requests; {@link #close} does not close it
     */
    public InProcessTransport(ApiServer server) {
        this(server::handle, server.scheduler());
    }

    InProcessTransport(Function<ApiRequest, ServerResponse> handler, Scheduler scheduler) {
        this.handler = handler;
        this.scheduler = scheduler;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        ServerResponse response = handle(request);
        if (response instanceof ServerResponse.Document document) {
            return new ApiResponse(document.code(), headers(document), new BuffersInputStream(document.pieces()));
        }
        InProcessStream stream =
                register(new InProcessStream(request, response, headers(response), scheduler, open::remove));
        return new ApiResponse(200, stream.headers(), new FrameLinesInputStream(stream));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        ServerResponse response = handle(request);
        return register(new InProcessStream(request, response, headers(response), scheduler, open::remove));
    }

    private ServerResponse handle(ApiRequest request) {
        if (closed) {
            throw closed(request);
        }
        if (request.deadline() != null
                && (request.deadline().isNegative() || request.deadline().isZero())) {
            throw new TransportException(
                    TransportException.Kind.TIMEOUT,
                    request.describe() + ": not sent, because no time is left: the deadline is " + request.deadline(),
                    null);
        }
        try {
            return handler.apply(request);
        } catch (LostResponseException e) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    request.describe() + ": the connection ended before the response",
                    e);
        }
    }

    private InProcessStream register(InProcessStream stream) {
        open.add(stream);
        if (closed) {
            stream.close();
        }
        if (stream.isClosed()) {
            open.remove(stream); // the deadline passed before the stream was added, so its close had nothing to remove
        }
        return stream;
    }

    /** Returns the number of streams that {@link #close} would end. */
    int openStreams() {
        return open.size();
    }

    private static TransportException closed(ApiRequest request) {
        return new TransportException(
                TransportException.Kind.CLOSED, request.describe() + ": the transport is closed", null);
    }

    private static Map<String, List<String>> headers(ServerResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("content-type", List.of(ApiRequest.JSON));
        headers.put("cache-control", List.of("no-cache, private"));
        if (response instanceof ServerResponse.Document document && document.retryAfterSeconds() > 0) {
            headers.put("retry-after", List.of(Long.toString(document.retryAfterSeconds())));
        }
        if (response instanceof ServerResponse.Document document
                && !document.warnings().isEmpty()) {
            headers.put(
                    "warning",
                    document.warnings().stream()
                            .map(InProcessTransport::warning)
                            .toList());
        }
        return Map.copyOf(headers);
    }

    /** Returns the header of a warning (RFC 7234, 5.5). */
    private static String warning(String text) {
        return "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(InProcessStream::close);
    }
}

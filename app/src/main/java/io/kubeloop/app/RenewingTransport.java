package io.kubeloop.app;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transport whose token is replaced in time, and at once when the server refuses it. Thread-safe.
 */
final class RenewingTransport implements Transport {

    // Invariants
    //   R1  A generation is replaced by whoever wins the exchange of current; everybody else waits for that one, so
    //       that a burst of requests asks for one token.
    //   R2  A generation that could not be made is taken out of current again: the next request tries anew.
    //   R3  Every transport ever made is in all, and is closed by close: a stream opened with an old token lives on
    //       until its reader or close ends it.
    // No lock: tokens are asked for outside of any. Callers are the threads of requests; they may wait for each
    // other's token.

    private final TokenRequests tokens;
    private final Function<String, Transport> transports;
    private final Clock clock;
    private final Queue<Transport> all = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable CompletableFuture<Generation>> current = new AtomicReference<>();
    private volatile boolean closed;

    private record Generation(Transport transport, TokenRequests.Token token) {}

    RenewingTransport(TokenRequests tokens, Function<String, Transport> transports, Clock clock) {
        this.tokens = tokens;
        this.transports = transports;
        this.clock = clock;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        CompletableFuture<Generation> used = current();
        ApiResponse response = await(used).transport().execute(request);
        if (response.code() != 401) {
            return response;
        }
        response.close();
        return await(replace(used)).transport().execute(request);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        CompletableFuture<Generation> used = current();
        ApiStream stream = await(used).transport().stream(request);
        if (stream.code() != 401) {
            return stream;
        }
        stream.close();
        return await(replace(used)).transport().stream(request);
    }

    private CompletableFuture<Generation> current() {
        CompletableFuture<Generation> now = current.get();
        if (now == null) {
            return replace(null);
        }
        boolean worn =
                now.isDone() && !clock.instant().isBefore(await(now).token().renewAt());
        return worn ? replace(now) : now;
    }

    /** Returns what replaces the generation: made here, or by whoever was faster. */
    private CompletableFuture<Generation> replace(@Nullable CompletableFuture<Generation> old) {
        if (closed) {
            throw new TransportException(TransportException.Kind.CLOSED, "the transport was closed", null);
        }
        CompletableFuture<Generation> next = new CompletableFuture<>();
        if (!current.compareAndSet(old, next)) {
            CompletableFuture<Generation> faster = current.get();
            return faster == null ? replace(null) : faster;
        }
        try {
            TokenRequests.Token token = tokens.request();
            Transport transport = transports.apply(token.value());
            all.add(transport);
            if (closed) {
                transport.close();
            }
            next.complete(new Generation(transport, token));
        } catch (RuntimeException | Error e) {
            current.compareAndSet(next, null);
            next.completeExceptionally(e);
        }
        return next;
    }

    private static Generation await(CompletableFuture<Generation> generation) {
        try {
            return generation.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        all.forEach(Transport::close);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.credentials;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport that renews its token before it expires, and at once when the server rejects it. The caller receives the
 * rejection of a token that is new. A token that is due for renewal remains in use while no new token is available.
 * Thread-safe.
 */
public final class RenewingTransport implements Transport {

    /*
     * Invariants:
     *   R1  The thread that wins the exchange of current replaces the generation; the other threads wait for that
     *       generation. So a burst of requests leads to one request for a token.
     *   R2  A generation that could not be created is removed from current, and the next request tries again. The
     *       exception is a predecessor that was only due for renewal: it becomes current again, and is not
     *       replaced for another LEAST_AGE.
     *   R3  The thread that replaced a generation retires it, once. Calls and streams that began with an old token
     *       continue; the last of them closes the transport of the generation.
     *   R4  Every generation whose transport is open is in open, and close() closes it.
     *   R5  A generation is not replaced before it is LEAST_AGE old, neither after a rejection nor when a fast
     *       clock makes it look due. Each new transport has an unused rate limit.
     *
     * No lock: tokens are requested outside of any lock. The calling threads are those of requests; they may wait for
     * the token that another thread requests, until that request ends.
     */

    private static final Logger log = LoggerFactory.getLogger(RenewingTransport.class);

    private static final Duration LEAST_AGE = Duration.ofSeconds(10);

    private final TokenRequests tokens;
    private final Function<String, Transport> transports;
    private final Clock clock;
    private final Set<TransportGeneration> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable CompletableFuture<TransportGeneration>> current = new AtomicReference<>();
    private volatile boolean closed;

    /** Creates a transport; it requests no token before its first use. */
    public RenewingTransport(TokenRequests tokens, Function<String, Transport> transports, Clock clock) {
        this.tokens = tokens;
        this.transports = transports;
        this.clock = clock;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        CompletableFuture<TransportGeneration> used = enter(current());
        ApiResponse response = await(used).execute(request);
        if (response.code() != 401 || isLatest(used)) {
            return response;
        }
        response.close();
        return await(enter(replace(used, false))).execute(request);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        CompletableFuture<TransportGeneration> used = enter(current());
        ApiStream stream = await(used).stream(request);
        if (stream.code() != 401 || isLatest(used)) {
            return stream;
        }
        stream.close();
        return await(enter(replace(used, false))).stream(request);
    }

    /** Returns whether this is the current generation and too new to be replaced. */
    private boolean isLatest(CompletableFuture<TransportGeneration> used) {
        return current.get() == used && isNew(await(used));
    }

    private boolean isNew(TransportGeneration generation) {
        Duration age = Duration.between(generation.made(), clock.instant());
        // A negative age means that the clock was set back; the real age is unknown.
        return !age.isNegative() && age.compareTo(LEAST_AGE) < 0;
    }

    /** Returns this generation, or the current one if it was replaced meanwhile, with the caller counted as a user. */
    private CompletableFuture<TransportGeneration> enter(CompletableFuture<TransportGeneration> first) {
        CompletableFuture<TransportGeneration> now = first;
        while (!await(now).enter()) {
            now = current();
        }
        return now;
    }

    private CompletableFuture<TransportGeneration> current() {
        CompletableFuture<TransportGeneration> now = current.get();
        if (now == null) {
            return replace(null, false);
        }
        return now.isDone() && isWorn(await(now)) ? replace(now, true) : now;
    }

    private boolean isWorn(TransportGeneration generation) {
        return !clock.instant().isBefore(generation.renewAt()) && !isNew(generation);
    }

    /**
     * Returns the next generation, created by this thread or by a faster one.
     *
     * @param serves whether the old generation remains in use if no new token is available
     */
    private CompletableFuture<TransportGeneration> replace(
            @Nullable CompletableFuture<TransportGeneration> old, boolean serves) {
        if (closed) {
            throw new TransportException(TransportException.Kind.CLOSED, "the transport was closed", null);
        }
        CompletableFuture<TransportGeneration> next = new CompletableFuture<>();
        if (!current.compareAndSet(old, next)) {
            CompletableFuture<TransportGeneration> faster = current.get();
            return faster == null ? replace(null, false) : faster;
        }
        try {
            TokenRequests.Token token = tokens.request();
            TransportGeneration generation =
                    new TransportGeneration(transports.apply(token.value()), token, clock.instant(), open);
            if (closed) {
                generation.close();
            }
            next.complete(generation);
        } catch (RuntimeException | Error e) {
            if (old != null && serves && e instanceof RuntimeException) {
                log.warn("Cannot renew the token; using the current one until the next attempt: {}", e.getMessage());
                TransportGeneration worn = await(old);
                worn.renewAt(clock.instant().plus(LEAST_AGE));
                next.complete(worn);
                return next;
            }
            current.compareAndSet(next, null);
            next.completeExceptionally(e);
        }
        if (old != null) {
            await(old).retire();
        }
        return next;
    }

    private static TransportGeneration await(CompletableFuture<TransportGeneration> generation) {
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
        open.forEach(TransportGeneration::close);
    }
}

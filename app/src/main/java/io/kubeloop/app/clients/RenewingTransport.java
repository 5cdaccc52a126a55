package io.kubeloop.app.clients;

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
 * A transport whose token is replaced in time, and at once when the server refuses it, unless that token is brand-new: then
 * the callers hear of the refusal. A token that nobody refused serves on while there is no new one to be had. Thread-safe.
 */
final class RenewingTransport implements Transport {

    // Invariants
    //   R1  A generation is replaced by whoever wins the exchange of current; everybody else waits for that one, so
    //       that a burst of requests asks for one token.
    //   R2  A generation that could not be made is taken out of current again, and the next request tries anew; unless
    //       the one before it was only worn: that takes its place, and is not replaced for another LEAST_AGE.
    //   R3  A generation that is current no more is retired, once, by whoever replaced it: a call or stream that began
    //       with an old token lives on, and takes the generation with it when it ends.
    //   R4  Every generation whose transport is open is in open, and is closed by close.
    //   R5  A generation is not replaced before it is LEAST_AGE old, neither when it is refused nor when it looks worn,
    //       as it does by a clock that is fast: each new transport has a rate limit of its own, still untouched.
    // No lock: tokens are asked for outside of any. Callers are the threads of requests; they may wait for each
    // other's token.

    private static final Logger log = LoggerFactory.getLogger(RenewingTransport.class);

    private static final Duration LEAST_AGE = Duration.ofSeconds(10);

    private final TokenRequests tokens;
    private final Function<String, Transport> transports;
    private final Clock clock;
    private final Set<TransportGeneration> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable CompletableFuture<TransportGeneration>> current = new AtomicReference<>();
    private volatile boolean closed;

    RenewingTransport(TokenRequests tokens, Function<String, Transport> transports, Clock clock) {
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

    /** Returns whether there is no newer token, and none to be asked for yet. */
    private boolean isLatest(CompletableFuture<TransportGeneration> used) {
        return current.get() == used && isNew(await(used));
    }

    private boolean isNew(TransportGeneration generation) {
        Duration age = Duration.between(generation.made(), clock.instant());
        // Less than nothing if the clock was set back: that says nothing about the age.
        return !age.isNegative() && age.compareTo(LEAST_AGE) < 0;
    }

    /** Returns this generation, or the one of now if that was replaced meanwhile; it has taken the caller in. */
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
     * Returns what replaces the generation: made here, or by whoever was faster.
     *
     * @param serves whether the old one still serves if there is no token for a new one
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
                log.warn("There is no new token yet, the old one serves on: {}", e.getMessage());
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

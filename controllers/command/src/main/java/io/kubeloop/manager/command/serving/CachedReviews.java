/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends reviews to an API server and keeps their results for a while. Thread-safe; blocks until the server answers.
 *
 * @param <V> the result
 */
public final class CachedReviews<V> {

    /** The most results that are kept: a client that invents tokens does not fill the heap. */
    private static final int MOST = 1000;

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Transport transport;
    private final String path;
    private final Function<JsonObject, V> result;
    private final Function<V, Duration> lifetime;
    private final LongSupplier nanos;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Kept<V>> kept = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept<V>> eldest) {
            return size() > MOST;
        }
    };

    private record Kept<V>(V value, long until) {}

    /**
     * Creates the reviews of one kind.
     *
     * @param path the resource that reviews are posted to
     * @param result returns the result of an answer
     * @param lifetime returns how long a result is kept
     * @param nanos the clock, in nanoseconds
     */
    public CachedReviews(
            Transport transport,
            String path,
            Function<JsonObject, V> result,
            Function<V, Duration> lifetime,
            LongSupplier nanos) {
        this.transport = transport;
        this.path = path;
        this.result = result;
        this.lifetime = lifetime;
        this.nanos = nanos;
    }

    /**
     * Returns the result of a review.
     *
     * @param key identifies the review
     * @throws ApiException if the server rejects the request
     * @throws io.kubeloop.api.client.TransportException if the server does not answer
     */
    V review(String key, JsonObject review) {
        V before = kept(key);
        if (before != null) {
            return before;
        }
        V value = result.apply(send(transport, "POST", path, review));
        keep(key, new Kept<>(value, nanos.getAsLong() + lifetime.apply(value).toNanos()));
        return value;
    }

    private void keep(String key, Kept<V> result) {
        lock.lock();
        try {
            kept.put(key, result);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable V kept(String key) {
        Kept<V> before;
        lock.lock();
        try {
            before = kept.get(key);
        } finally {
            lock.unlock();
        }
        return before != null && before.until() - nanos.getAsLong() > 0 ? before.value() : null;
    }

    /**
     * Sends a request with this body, or none, and returns the object of the answer.
     *
     * @throws ApiException if the server rejects the request
     */
    static JsonObject send(Transport transport, String method, String path, @Nullable JsonObject body) {
        ApiRequest request = new ApiRequest(
                method,
                path,
                Map.of(),
                ApiRequest.JSON,
                body == null ? null : ApiRequest.Body.json(body.toString().getBytes(StandardCharsets.UTF_8)),
                LIMIT);
        try (ApiResponse response = transport.execute(request)) {
            byte[] bytes = response.body().readAllBytes();
            if (response.code() >= 300) {
                throw new ApiException(
                        request.describe(), JsonCodec.standard().decodeStatus(response.code(), bytes), null);
            }
            return JsonObject.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(request.describe() + ": the answer ended early: " + e.getMessage(), e);
        }
    }
}

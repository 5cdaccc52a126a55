/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.pacing;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/** The time by which an exchange with all its attempts must end; or no limit. Immutable. */
public final class Deadline {

    private final @Nullable Duration limit;
    private final long start;
    private final LongSupplier nanoTime;

    /**
     * Makes a deadline that starts now.
     *
     * @param limit the time left; null for no limit
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    public Deadline(@Nullable Duration limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /**
     * Sets the timeout of a call to the time left. OkHttp's shared timer also limits the body of the response.
     *
     * @throws TransportException of kind {@code TIMEOUT} if no time is left
     */
    public void applyTo(Call call, String what) {
        Duration left = left();
        if (left != null) {
            if (left.isZero() || left.isNegative()) {
                throw new TransportException(Kind.TIMEOUT, what + ": not sent within " + limit, null);
            }
            call.timeout().timeout(left.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Returns whether the time left is longer than a delay. */
    public boolean allows(Duration delay) {
        Duration left = left();
        return left == null || delay.compareTo(left) < 0;
    }

    /** Returns the initial limit; null for no limit. */
    @Nullable
    public Duration limit() {
        return limit;
    }

    /** Returns the time left, negative after the deadline; null for no limit. */
    @Nullable
    public Duration left() {
        return limit == null ? null : limit.minusNanos(nanoTime.getAsLong() - start);
    }
}

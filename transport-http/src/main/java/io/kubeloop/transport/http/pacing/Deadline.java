package io.kubeloop.transport.http.pacing;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/** The moment by which a whole exchange, with all its attempts, must be over; or none. Immutable. */
public final class Deadline {

    private final @Nullable Duration limit;
    private final long start;
    private final LongSupplier nanoTime;

    /** Counts from now. */
    public Deadline(@Nullable Duration limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /**
     * Has a call end in time. OkHttp's timer is shared by all calls and watches over the answer's body too.
     *
     * @throws TransportException of kind {@code TIMEOUT} if it is too late already
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

    /** Returns whether there is time to wait for so long. */
    public boolean allows(Duration delay) {
        Duration left = left();
        return left == null || delay.compareTo(left) < 0;
    }

    /** Returns what it was at first; null for no end. */
    @Nullable
    public Duration limit() {
        return limit;
    }

    /** Returns how much is left, which may be less than nothing; null for no end. */
    @Nullable
    public Duration left() {
        return limit == null ? null : limit.minusNanos(nanoTime.getAsLong() - start);
    }
}

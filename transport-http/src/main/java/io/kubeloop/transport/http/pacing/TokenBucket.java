/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.pacing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket: allows requests at an average rate, with bursts (upstream: {@code
 * client-go/util/flowcontrol/throttle.go}).
 *
 * <p>It starts full. Thread-safe. Callers are served in the order of their calls. The bucket never sleeps: it returns
 * the time that a caller must wait.
 */
public final class TokenBucket {

    private static final double NANOS_PER_SECOND = 1e9;

    /*
     * Invariants:
     * T1: tokens <= burst. A negative balance is the debt of callers that must wait.
     * T2: tokens is the balance at the time `updated`; only reserve and giveBack change the two.
     * T3: `turns` is the number of the last turn that was taken and not given back.
     * Any thread calls. The lock is held for arithmetic only.
     */
    private final ReentrantLock lock = new ReentrantLock();
    private final double qps;
    private final int burst;
    private final LongSupplier nanoTime;

    @GuardedBy("lock")
    private double tokens;

    @GuardedBy("lock")
    private long updated;

    @GuardedBy("lock")
    private long turns;

    /**
     * A token that was taken.
     *
     * @param delay the time to wait before its use
     * @param number its position in the order of all tokens taken
     */
    public record Turn(Duration delay, long number) {}

    /**
     * Makes a full bucket.
     *
     * @param qps the tokens that are added per second, more than 0
     * @param burst the capacity
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    public TokenBucket(double qps, int burst, LongSupplier nanoTime) {
        if (!(qps > 0) || burst < 0) {
            throw new IllegalArgumentException("needs qps > 0 and burst >= 0, got qps " + qps + ", burst " + burst);
        }
        this.qps = qps;
        this.burst = burst;
        this.nanoTime = nanoTime;
        this.tokens = burst;
        this.updated = nanoTime.getAsLong();
    }

    /**
     * Takes a token and returns the time to wait for it; takes none and returns null if that time is too long. Does not
     * block.
     *
     * @param longest the longest time that the caller can wait; null for no limit
     */
    @Nullable
    public Turn reserve(@Nullable Duration longest) {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            double balance = balance(now);
            Duration delay = Duration.ofNanos(nanosToWait(balance));
            if (longest != null && !delay.isZero() && delay.compareTo(longest) >= 0) {
                return null;
            }
            take(now, balance);
            return new Turn(delay, turns);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a token that will not be used, so no caller waits for it. Has no effect if other callers have taken
     * tokens since: they already wait for their own time, and a returned token would allow one request too many.
     */
    public void giveBack(Turn turn) {
        lock.lock();
        try {
            if (turn.number() == turns) {
                long now = nanoTime.getAsLong();
                tokens = Math.min(burst, balance(now) + 1);
                updated = now;
                turns--;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A token that is due within a nanosecond counts as available, as upstream: rounding of fractions must not cost a
     * token.
     */
    private long nanosToWait(double balance) {
        return balance >= 1 ? 0 : (long) ((1 - balance) / qps * NANOS_PER_SECOND);
    }

    @GuardedBy("lock")
    private double balance(long now) {
        // Rounded to a billionth of a token, so 50 ms at 20 per second are exactly one token.
        double flowed = Math.rint((now - updated) * qps) / NANOS_PER_SECOND;
        return Math.min(burst, tokens + flowed);
    }

    @GuardedBy("lock")
    private void take(long now, double balance) {
        tokens = balance - 1;
        updated = now;
        turns++;
    }
}

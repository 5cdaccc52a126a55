package io.kubeloop.transport.http.pacing;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass at an average rate, with bursts (upstream: {@code client-go/util/flowcontrol/throttle.go}).
 *
 * <p>Starts full. Thread-safe; callers are served in the order in which they ask. Nothing sleeps here: who has to wait is
 * told how long.
 */
public final class TokenBucket {

    private static final double NANOS_PER_SECOND = 1e9;

    // T1: tokens <= burst. A negative balance is the debt of callers who were told to wait.
    // T2: tokens is the balance at the moment `updated`; only taking and giving back move both.
    // T3: the turn with the number `turns` is the last of those that were taken and not given back.
    // Any thread calls; the lock is held for arithmetic alone.
    private final ReentrantLock lock = new ReentrantLock();
    private final double qps;
    private final int burst;
    private final LongSupplier nanoTime;
    private double tokens; // guarded by lock
    private long updated; // guarded by lock
    private long turns; // guarded by lock

    /**
     * A token that was taken.
     *
     * @param delay how long to wait before using it
     * @param number how many were taken before it, and it
     */
    public record Turn(Duration delay, long number) {}

    /**
     * Makes a full bucket.
     *
     * @param qps tokens per second that flow in, more than 0
     * @param burst its size
     * @param nanoTime a clock that never goes back
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

    /** Takes a token if there is one now. */
    boolean tryAccept() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            double balance = balance(now);
            if (burst < 1 || nanosToWait(balance) > 0) {
                return false;
            }
            take(now, balance);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a token, and returns when to use it; takes none, and returns null, if that is too late.
     *
     * @param longest how long the caller can wait; null for as long as it takes
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
     * Gives back a token that will not be used, so that nobody waits for somebody who has given up. Not if others have taken
     * theirs since: they wait for their moment already, and who got this one would come on top of them.
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

    /** What comes within a nanosecond counts as there, so that binary fractions cost nobody a token, as upstream. */
    private long nanosToWait(double balance) {
        return balance >= 1 ? 0 : (long) ((1 - balance) / qps * NANOS_PER_SECOND);
    }

    private double balance(long now) {
        // Rounded to a billionth of a token: 50 ms at 20 per second are one token, whatever binary fractions say.
        double flowed = Math.rint((now - updated) * qps) / NANOS_PER_SECOND;
        return Math.min(burst, tokens + flowed);
    }

    private void take(long now, double balance) {
        tokens = balance - 1;
        updated = now;
        turns++;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The time that a reflector waits between two attempts: 0.8 s, doubled after each attempt up to 30 s, each multiplied
 * by a random factor from 1 to 2. The sequence starts again at 0.8 s two minutes after its last start. Confined to the
 * reflector thread.
 */
final class ReflectorBackoff {

    static final Duration FIRST = Duration.ofMillis(800);
    static final Duration MOST = Duration.ofSeconds(30);
    static final Duration RESET = Duration.ofMinutes(2);

    private final Scheduler scheduler;
    private final DoubleSupplier random;
    private Duration next = FIRST;
    private long resetAt;

    /** Makes a backoff that starts now. The supplier returns numbers from 0 up to but not including 1. */
    ReflectorBackoff(Scheduler scheduler, DoubleSupplier random) {
        this.scheduler = scheduler;
        this.random = random;
        resetAt = scheduler.nanoTime();
    }

    Duration next() {
        long now = scheduler.nanoTime();
        if (now - resetAt > RESET.toNanos()) {
            next = FIRST;
            resetAt = now;
        }
        Duration base = next;
        Duration doubled = base.multipliedBy(2);
        next = doubled.compareTo(MOST) < 0 ? doubled : MOST;
        return base.plusNanos((long) (base.toNanos() * random.getAsDouble()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A scheduler whose pauses end at once and move its clock. A pause of an interrupted thread lasts until the thread
 * notices the interrupt. Thread-safe if the consumer is.
 */
final class InstantScheduler implements Scheduler {

    private final AtomicLong clock;
    private final Consumer<Duration> pauses;

    /**
     * Creates a scheduler.
     *
     * @param clock the time in nanoseconds
     * @param pauses receives each pause before it ends
     */
    InstantScheduler(AtomicLong clock, Consumer<Duration> pauses) {
        this.clock = clock;
        this.pauses = pauses;
    }

    InstantScheduler(Consumer<Duration> pauses) {
        this(new AtomicLong(), pauses);
    }

    InstantScheduler(AtomicLong clock) {
        this(clock, pause -> {});
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return clock.get();
    }

    @Override
    public Task scheduleAt(long nanoTime, Runnable task) {
        pauses.accept(Duration.ofNanos(nanoTime - clock.get()));
        if (!Thread.currentThread().isInterrupted()) {
            clock.set(nanoTime);
            task.run();
        }
        return () -> {};
    }

    @Override
    public void close() {}
}

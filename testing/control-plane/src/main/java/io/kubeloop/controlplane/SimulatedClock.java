/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.cache.InformerConfig;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.SchedulerScope;
import io.kubeloop.runtime.WorkCounter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of a control plane and of the controllers of a test. A test moves it, and waits until nothing is under way.
 *
 * <pre>{@code
 * client.resource(DEPLOYMENTS).create(web);
 * clock.awaitQuiet();                        // every pod is reported as running
 * clock.advance(Duration.ofMinutes(10));     // deadlines, schedules and resyncs of ten minutes
 * }</pre>
 *
 * <p>A frozen clock moves only by {@link #advance}, and by a nanosecond with each reading. A running clock also follows
 * real time. The server, the controllers, the kubelet, and the informers of {@link ControlPlane#informers} and {@link
 * ControlPlane#runner} use this time. Threads and sleeps of the test itself, and clients over HTTP, do not.
 *
 * <p><b>Quiet</b> means that none of the following is under way:
 *
 * <ul>
 *   <li>a request that the server executes, from any client;
 *   <li>an event that a watch has not delivered yet; over HTTP, that has not been written to the connection;
 *   <li>a change on its way through an informer, up to the return of the handlers;
 *   <li>a key in a work queue, up to the end of its sync; a Kubernetes event that is not written;
 *   <li>a step of the kubelet, and a timer that is due.
 * </ul>
 *
 * <p>A queue follows this clock if the thread that creates the clock, or a thread that it starts later, makes the queue
 * in the ordinary way, such as {@code WorkQueues.rateLimiting("sites")}: the clock is then {@link Scheduler#system()}.
 * Other queues need {@code withScheduler(clock.scheduler())}: while a {@code Worker} that such a thread has started
 * runs on a queue that follows no open clock, such as one in a static field, which follows the clock of an earlier
 * test, {@link #advance} and {@link #awaitQuiet} refuse with the name of the queue.
 *
 * <p>Not known, and therefore not counted: work inside a client of another process or library between its requests,
 * threads that the test starts, and a queue that was made before the clock and that only such threads read.
 *
 * <p>Thread-safe. {@link #advance} and {@link #awaitQuiet} block.
 */
public final class SimulatedClock implements AutoCloseable {

    /**
     * Retries that are due within this time belong to the present: Kubernetes' timestamps have whole seconds, and a
     * controller repeats a write after a conflict in milliseconds.
     */
    private static final Duration PRESENT = Duration.ofSeconds(1);

    /** The longest real time for which {@link #advance} and {@link #awaitQuiet()} wait. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private final WorkCount work = new WorkCount();
    private final WorkCounter threads = work.counter(WorkCount.INFORMERS);
    private final TaskTimeline timeline;
    private final Instant start;
    private final Clock clock = new WallClock(ZoneOffset.UTC);

    /** Each reading is a nanosecond later, because names of events contain their time and must differ. */
    private final AtomicLong readings = new AtomicLong();

    private final Scheduler scheduler = new SimulatedScheduler(true);

    /** Queues that the thread of the test, and its threads, make in the ordinary way use this time. */
    private final SchedulerScope scope = SchedulerScope.open(scheduler);

    private volatile boolean closed;

    private SimulatedClock(boolean running, Instant start) {
        this.start = start;
        timeline = new TaskTimeline(running, work);
    }

    /** Returns a clock that follows real time, from the present. */
    public static SimulatedClock running() {
        return new SimulatedClock(true, Instant.now());
    }

    /**
     * Returns a clock that stands at this time until it is moved.
     *
     * @param start the first time of day
     */
    public static SimulatedClock frozen(Instant start) {
        return new SimulatedClock(false, start);
    }

    /** Returns the time of day. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * Changes how fast the time runs from now on. It never moves back.
     *
     * @param speed 1 for real time, 0 for a clock that stands still, 0.1 for a tenth of real time; at most 1000
     * @throws IllegalArgumentException if the speed is out of range
     */
    public void setPace(double speed) {
        if (!(speed >= 0 && speed <= 1000)) {
            throw new IllegalArgumentException("the pace of a clock must be between 0 and 1000, got " + speed);
        }
        timeline.setPace(speed);
    }

    /** Returns this time as a clock in UTC. */
    public Clock clock() {
        return clock;
    }

    /**
     * Moves the time forward. Stops at each timer on the way: what is due runs, and what follows from it ends, before
     * the time moves on. Blocks until nothing is under way at the new time.
     *
     * @param duration zero or more
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if something is still under way after {@link #PATIENCE}, if a queue with a worker
     *     follows no open clock, or if the thread is interrupted. The message names it. An interrupt stays set
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time cannot move back, by " + duration);
        }
        long deadline = deadline(PATIENCE);
        awaitIdle(deadline);
        long target = timeline.nanoTime() + duration.toNanos();
        while (timeline.moveToNext(target)) {
            awaitIdle(deadline(PATIENCE));
        }
        awaitIdle(deadline);
    }

    /**
     * Lets time pass without waiting for anything. What becomes due runs on the thread of the clock.
     *
     * @param duration zero or more
     * @throws IllegalArgumentException if the duration is negative
     */
    public void elapse(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time cannot move back, by " + duration);
        }
        timeline.jump(duration.toNanos());
    }

    /**
     * Moves the time forward in one step, as a suspended machine sees it: what became due meanwhile runs once, at the
     * new time. Blocks until nothing is under way then.
     *
     * @param duration zero or more
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException as {@link #advance} does
     */
    public void jump(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time cannot move back, by " + duration);
        }
        awaitIdle(deadline(PATIENCE));
        timeline.jump(duration.toNanos());
        awaitQuiet();
    }

    /** Waits as {@link #awaitQuiet(Duration)} does, for at most {@link #PATIENCE}. */
    public void awaitQuiet() {
        awaitQuiet(PATIENCE);
    }

    /**
     * Blocks until nothing is under way. Retries and delays of work queues and informers that are due within one second
     * belong to what is under way: this method moves the time to them, by less than one second in total.
     *
     * @param patience the longest wait in real time
     * @throws IllegalStateException if something is still under way then, if a queue with a worker follows no open
     *     clock, or if the thread is interrupted. The message names it. An interrupt stays set
     */
    public void awaitQuiet(Duration patience) {
        long deadline = deadline(patience);
        awaitIdle(deadline);
        long present = timeline.nanoTime() + PRESENT.toNanos();
        while (timeline.moveToNextRetry(present)) {
            awaitIdle(deadline);
        }
    }

    /**
     * Returns whether a watch has events that its reader has not taken, or an informer has events that its handlers
     * have not processed. A thread whose own work counts can wait for this; {@link #awaitQuiet()} would not return to
     * it. Does not block.
     */
    public boolean hasUnhandledEvents() {
        return work.hasEvents();
    }

    private static long deadline(Duration patience) {
        return System.nanoTime() + patience.toNanos();
    }

    private void awaitIdle(long deadline) {
        List<String> uncounted = scope.uncounted();
        if (!uncounted.isEmpty()) {
            throw new IllegalStateException("cannot wait for quiet: this clock does not count the work of " + uncounted
                    + "; make it after the clock, or with withScheduler(clock.scheduler())");
        }
        try {
            if (!work.awaitQuiet(deadline - System.nanoTime())) {
                throw new IllegalStateException("not quiet in time; under way: " + work.describe());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted; under way: " + work.describe(), e);
        }
    }

    /**
     * Returns this time for work queues ({@code WorkQueueConfig.withScheduler}) and informers ({@link
     * InformerConfig#withScheduler}). It counts the items of the queues and the threads of the informers as work. It
     * cannot be closed alone.
     */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the time for controllers and leader election. */
    public ControllerTime controllerTime() {
        return new ControllerTime(
                clock, scheduler, () -> ThreadLocalRandom.current().nextDouble());
    }

    WorkCount work() {
        return work;
    }

    Scheduler serverScheduler() {
        return new SimulatedScheduler(false);
    }

    /**
     * Drops all timers, and blocks until the clock's thread has ended, at most 5 s. An interrupt ends the wait and
     * stays set.
     */
    @Override
    public void close() {
        closed = true;
        scope.close();
        timeline.close();
    }

    private final class WallClock extends Clock {

        private final ZoneId zone;

        WallClock(ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public Instant instant() {
            return start.plusNanos(timeline.nanoTime() + readings.getAndIncrement());
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new WallClock(other);
        }
    }

    /** The time of queues and informers, whose tasks are retries, or of the server. */
    private final class SimulatedScheduler implements Scheduler {

        private final boolean retries;

        SimulatedScheduler(boolean retries) {
            this.retries = retries;
        }

        @Override
        public Instant now() {
            return clock.instant();
        }

        @Override
        public long nanoTime() {
            return timeline.nanoTime();
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            return timeline.scheduleAt(nanoTime, task, retries)::cancel;
        }

        /**
         * Moves the task to the nearest multiple of its delay. All bookmarks of a frozen clock are then due in the same
         * moments, and an advance by hours stops once a minute instead of once for each watch.
         */
        @Override
        public Task scheduleAround(Duration delay, Runnable task) {
            long nanos = Math.max(1, delay.toNanos());
            long multiples = Math.floorDiv(timeline.nanoTime() + nanos + nanos / 2, nanos);
            return scheduleAt(multiples * nanos, task);
        }

        @Override
        public @Nullable WorkCounter counter(String component) {
            return closed ? null : work.counter("in " + component);
        }

        @Override
        public OwnedThreads newThreads(ThreadFactory factory, Set<Thread> family) {
            return new CountedThreads(factory, family, threads);
        }

        @Override
        public Condition newCondition(Lock lock) {
            return new CountedCondition(lock.newCondition(), threads);
        }

        @Override
        public <R extends @Nullable Object> Supplier<R> blocking(Supplier<R> call) {
            return () -> {
                threads.end();
                try {
                    return call.get();
                } finally {
                    threads.begin();
                }
            };
        }

        /** Leaves the tasks to the clock: several factories share its thread, and it outlives the server. */
        @Override
        public void close() {}
    }
}

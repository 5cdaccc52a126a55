/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.controller.ControllerException;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work once: while this process holds a lease, or at once without an election.
 *
 * <p>A graceful end has two steps: the work stops while the server still accepts its writes, then the lease is
 * released. A lost lease interrupts the work, and {@link #awaitEnd} throws.
 *
 * <p>Thread-safe. {@link #awaitEnd} and {@link #close} block.
 */
public final class LeaderRun {

    /*
     * Invariants
     *   L1  The work starts at most once, and not after requestEnd.
     *   L2  An ordered stop of the work comes before the end of the leadership.
     *   L3  The lease is released only after awaitTermination has returned, whatever ended the work: the elector waits
     *       for the leading thread.
     *   L4  `ended` opens after the work has stopped or was abandoned, whatever the reason, or `longest` later.
     *
     * Threads: requestEnd, fail, awaitEnd and close are called by any thread. With an election, the leading thread
     * calls the work; if it never led, the elector's thread abandons it. Without one, the thread that starts it does,
     * and the first of awaitEnd and close stops it. No lock: latches, atomic and volatile fields.
     */

    private static final Logger LOG = LoggerFactory.getLogger(LeaderRun.class);

    /** Long enough to mean "until it is released", short enough for arithmetic in nanoseconds. */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    /** The work of a leader. The methods are called one after the other, each at most once. */
    public interface Work {

        /** Starts the work, and returns. An exception ends the leadership. */
        void start();

        /** Stops the work while its writes are accepted. {@link LeaderRun#awaitEnd} throws its exception. */
        void stop();

        /** Stops work that was not stopped: the lease is lost, its start failed, or it never started. */
        void abandon();

        /** Blocks until all stopped or abandoned work has ended; the lease is released afterwards. */
        void awaitTermination();
    }

    private final Work work;
    private final Scheduler scheduler;
    private final Duration longest;
    private final @Nullable LeaderElector elector;
    private final String lease;
    private final OneShotLatch stopping;
    private final OneShotLatch stopped;

    /**
     * Opens when the end is requested. A user's thread waits for it; the scheduler of a test does not count that wait.
     */
    private final CountDownLatch requested = new CountDownLatch(1);

    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean stoppedAlone = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean leadsAlone;

    /**
     * Creates a run that has not started.
     *
     * @param scheduler the time of waits
     * @param longest the longest wait for the end of the work
     * @param newLeaders receives the identity of each new leader; empty for none
     * @param election makes the settings of the election from its callbacks; null for no election
     */
    public LeaderRun(
            Work work,
            Scheduler scheduler,
            Duration longest,
            Consumer<String> newLeaders,
            @Nullable Function<LeaderCallbacks, LeaderElectionConfig> election) {
        this.work = work;
        this.scheduler = scheduler;
        this.longest = longest;
        this.stopping = new OneShotLatch(scheduler);
        this.stopped = new OneShotLatch(scheduler);
        LeaderElectionConfig config = election == null ? null : election.apply(new Callbacks(newLeaders));
        this.lease = config == null ? "" : config.lock().describe();
        this.elector = config == null ? null : new LeaderElector(config);
    }

    /**
     * Joins the election and returns at once; without an election, starts the work.
     *
     * @throws RuntimeException the exception of the work without an election; {@link #close} then stops the rest
     */
    public void start() {
        if (elector == null) {
            leadsAlone = true;
            work.start();
            return;
        }
        try {
            elector.start();
        } catch (RuntimeException | Error e) {
            ended.countDown();
            throw e;
        }
    }

    private final class Callbacks implements LeaderCallbacks {

        private final Consumer<String> newLeaders;

        Callbacks(Consumer<String> newLeaders) {
            this.newLeaders = newLeaders;
        }

        @Override
        public void onStartedLeading() throws InterruptedException {
            if (begun.compareAndSet(false, true)) {
                lead();
            }
        }

        @Override
        public void onStoppedLeading() {
            if (!stopping.isReleased()) {
                failure.compareAndSet(null, new ControllerException("lost the lease " + lease + ": " + loss(), null));
            }
            try {
                if (begun.compareAndSet(false, true)) {
                    work.abandon();
                } else {
                    stopped.await(scheduler, longest);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.countDown();
            }
        }

        @Override
        public void onNewLeader(String identity) {
            newLeaders.accept(identity);
        }
    }

    private String loss() {
        LeaderElector candidate = elector;
        String leader = candidate == null || candidate.isLeader() ? "" : candidate.getLeader();
        return leader.isEmpty() ? "it could not be renewed in time" : "it is held by " + leader;
    }

    private void lead() throws InterruptedException {
        boolean isOrdered = false;
        try {
            if (!stopping.isReleased()) {
                work.start();
                stopping.await(scheduler, UNLIMITED);
                if (Thread.interrupted()) { // by the elector, just before the release
                    throw new InterruptedException();
                }
                isOrdered = true;
                work.stop();
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            if (!isOrdered) {
                work.abandon();
            }
            stopped.release();
            cancel();
            work.awaitTermination();
        }
    }

    private void cancel() {
        if (elector != null) {
            elector.cancel();
        }
    }

    /** Returns whether this process may write at this moment. Reads the clock; does not block. */
    public boolean isLeading() {
        return elector == null ? leadsAlone : elector.isLeading();
    }

    /** Returns whether the work has stopped or was abandoned, whatever the reason. */
    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Returns the candidate of the election, for its health and leader; empty without an election. */
    public Optional<LeaderElector> elector() {
        return Optional.ofNullable(elector);
    }

    /** Requests a graceful end and returns at once. Safe to call twice, and in a signal handler. */
    public void requestEnd() {
        stopping.release();
        requested.countDown();
        if (!begun.get()) {
            cancel();
        }
    }

    /** Requests the end because of a failure, which {@link #awaitEnd} throws; the first one counts. */
    public void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
        requestEnd();
    }

    /**
     * Blocks until the end was requested and the work has stopped; without limit.
     *
     * @throws ControllerException if the lease was lost; the message states why
     * @throws RuntimeException the exception of the work, or the one passed to {@link #fail}
     * @throws InterruptedException if the caller is interrupted while it waits; the work continues
     */
    public void awaitEnd() throws InterruptedException {
        if (elector == null) {
            requested.await();
            stopAlone();
        }
        ended.await();
        Throwable thrown = failure.get();
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private void stopAlone() {
        if (!stoppedAlone.compareAndSet(false, true)) {
            return;
        }
        try {
            work.stop();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            leadsAlone = false;
            ended.countDown();
        }
    }

    /**
     * Stops the work and releases the lease, in this order. Safe to call twice.
     *
     * <p>Blocks for the longest wait of this run and then, as {@link LeaderElector#close}, for up to half a minute. An
     * interrupt ends each wait and stays set.
     */
    public void close() {
        requestEnd();
        try {
            if (elector == null) {
                stopAlone();
            }
            if (!ended.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("The work of {} did not stop within {} s; giving up the lease", lease, longest.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (elector != null) {
                elector.close();
            }
        }
    }
}

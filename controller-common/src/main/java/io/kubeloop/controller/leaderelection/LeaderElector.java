/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.controller.leaderelection.LeaderAttempt.Outcome;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One candidate of an election: acquires the lock, leads as long as it can renew the lock, and ends (upstream: {@code
 * tools/leaderelection/leaderelection.go}). Thread-safe; runs once. {@link #run} and {@link #close} block.
 *
 * <p>It is stricter than upstream in three points. The renew deadline counts from the time at which the last
 * successful renewal was <em>sent</em>, so a slow response cannot extend leadership beyond the lease. A hanging
 * request is abandoned at the deadline, even if the client ignores interrupts. The lock is released after the guarded
 * work has stopped, not before.
 */
public final class LeaderElector implements AutoCloseable {

    /*
     * Invariants
     *   E1  isLeading() returns true only while now < observedAt + renewDeadline, for an observation that this
     * candidate holds. It reads the clock itself, so it is right even before any thread has noticed the deadline.
     *   E2  onStoppedLeading is called once, on the elector's thread, after leading became false for good.
     *   E3  Only the elector's thread changes observation and leading. Attempts have no side effects here: an
     * abandoned one sends no further request, and its outcome is discarded. Each ends with an outcome, whatever it
     * throws.
     *   E4  The lock is released only after the guarded work has ended (onStartedLeading and onStoppedLeading
     * returned).
     *   E5  The caller that sets started also makes ended count down: run and start through the elector's thread, or
     * at once if that cannot be started; close at once, because the candidate then never runs.
     *
     *   run:  acquiring ──attempt succeeded──► leading ──deadline, stolen, cancelled──► stopped
     *             └───────────────cancelled────────────────────────────────────────────────┘
     *
     * Threads: the elector's own (the caller of run, or the one that start makes), one for each attempt while it
     * lasts, one for onStartedLeading, one for onNewLeader, one of the alarm. All have ended when close returns,
     * unless a callback or the client hangs.
     * No lock of its own: observation and leading are volatile with one writer; waiting is in CancellableWait.
     */

    /** The time after the end of a lease in which a holder that does not renew it still counts as healthy: 20 s. */
    public static final Duration TOLERANCE = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    /** The longest time that {@link #close} waits for callbacks and for the release. */
    private static final long CLOSE_SECONDS = 30;

    private final LeaderElectionConfig config;
    private final LeaderAttempt attempts;
    private final String threadPrefix;
    private final OwnedThreads threads;
    private final CancellableWait wait;
    private final ExecutorService newLeaders;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private volatile Observation observation;
    private volatile boolean leading;
    private volatile @Nullable Thread runner;
    private volatile @Nullable Thread leadingThread;
    private volatile boolean workEnded;

    /** The last argument of onNewLeader. Confined to the elector's thread. */
    private String reportedLeader = "";

    /** Creates a candidate that does nothing before {@link #run} or {@link #start}. */
    public LeaderElector(LeaderElectionConfig config) {
        this.config = config;
        this.attempts = new LeaderAttempt(this.config);
        this.threadPrefix = "kubeloop-leader-election-" + config.lock().describe() + "-";
        this.threads = config.time().monotonic().newThreads(config.threads(), OwnedThreads.newFamily());
        this.wait = new CancellableWait(config.time().monotonic());
        this.observation = new Observation(null, now());
        this.newLeaders =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newLeaderThread);
    }

    /**
     * Takes part in the election on the calling thread. Blocks without limit, until leadership has ended or {@link
     * #cancel} was called. An interrupt of the caller does not end it.
     *
     * @throws IllegalStateException if the candidate was started or closed before
     */
    public void run() {
        claim();
        takePart();
    }

    /**
     * Takes part in the election on a thread of its own, and returns at once. {@link #close} waits for that thread.
     *
     * @throws IllegalStateException if the candidate was started or closed before
     */
    public void start() {
        claim();
        try {
            threads.start(threads.prepare(threadPrefix + "elector", this::takePart));
        } catch (Throwable e) {
            end();
            throw e;
        }
    }

    private Thread newLeaderThread(Runnable action) {
        Thread thread = threads.newThread(action);
        thread.setName(threadPrefix + "new-leader");
        return thread;
    }

    private void claim() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("candidate " + describe() + " was started or closed before; it runs once");
        }
    }

    private void takePart() {
        runner = Thread.currentThread();
        try {
            if (acquire()) {
                lead();
            }
        } finally {
            stop();
        }
    }

    private boolean acquire() {
        LOG.info("Candidate {} attempts to acquire the lease", describe());
        while (!wait.isCancelled()) {
            if (tryAcquireOrRenew(now() + config.renewDeadline().toNanos())) {
                return true;
            }
            double jitter = 1 + config.time().random().getAsDouble() * LeaseDurations.JITTER_FACTOR;
            wait.awaitUntil(now() + (long) (config.retryPeriod().toNanos() * jitter));
        }
        return false;
    }

    private void lead() {
        LOG.info("Candidate {} became leader", describe());
        leading = true;
        reportMetrics(true);
        config.lock().recordEvent("became leader");
        Thread guarded = threads.prepare(threadPrefix + "leading", this::startedLeading);
        leadingThread = guarded;
        threads.start(guarded);
        renewUntilLost();
    }

    private void reportMetrics(boolean leading) {
        UserCallbacks.attempt(
                () -> config.metrics().leading(leading),
                e -> LOG.error("Metrics of candidate {} failed", describe(), e));
    }

    private void startedLeading() {
        try {
            config.callbacks().onStartedLeading();
        } catch (InterruptedException e) {
            LOG.debug("The work of leader {} was interrupted", describe());
        } catch (Exception | Error e) {
            LOG.error("The work of leader {} failed, leadership ends", describe(), e);
            cancel();
        } finally {
            workEnded = true;
            wait.wake();
        }
    }

    private void renewUntilLost() {
        long deadline = deadline(observation);
        long next = now() + config.retryPeriod().toNanos();
        while (wait.awaitUntil(earlier(next, deadline))) {
            if (now() - deadline >= 0) {
                LOG.error(
                        "Leader {} could not renew its lease within {}, leadership ends",
                        describe(),
                        config.renewDeadline());
                return;
            }
            reportLate(Duration.ofNanos(now() - next));
            next = now() + config.retryPeriod().toNanos();
            tryAcquireOrRenew(deadline);
            if (!isLeader()) {
                LOG.error("Leader {} lost its lease to \"{}\", leadership ends", describe(), getLeader());
                return;
            }
            deadline = deadline(observation);
        }
        LOG.info("Leader {} was cancelled, leadership ends", describe());
    }

    private void reportLate(Duration late) {
        if (late.compareTo(config.retryPeriod()) > 0) {
            LOG.warn("Leader {} renews its lease {} late: its thread did not run in time", describe(), late);
        }
    }

    /** Returns the time until which this candidate may lead, given an observation. */
    private long deadline(Observation seen) {
        return seen.observedAt() + config.renewDeadline().toNanos();
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    /** An attempt to acquire or renew, or one to release. */
    private interface Attempt {
        Outcome run(Observation before, BooleanSupplier wanted);
    }

    /** Makes one attempt to lead; abandons it at the deadline and when cancelled. */
    boolean tryAcquireOrRenew(long deadline) {
        return attempt(deadline, attempts::tryAcquireOrRenew, wait::isCancelled);
    }

    /** Makes one attempt to release the lock; abandons it after the renew deadline. */
    boolean tryRelease() {
        return attempt(now() + config.renewDeadline().toNanos(), attempts::release, () -> false);
    }

    /** Makes an attempt on a thread of its own, so a hanging client cannot delay the elector. */
    private boolean attempt(long deadline, Attempt attempt, BooleanSupplier cancelled) {
        AtomicBoolean wanted = new AtomicBoolean(true);
        AtomicReference<@Nullable Outcome> result = new AtomicReference<>();
        Observation before = observation;
        Thread thread = threads.prepare(threadPrefix + "attempt", () -> {
            Outcome ended = new Outcome(false, before);
            try {
                ended = attempt.run(before, wanted::get);
            } catch (Throwable e) {
                LOG.error("An attempt of candidate {} failed", describe(), e);
            } finally {
                result.set(ended); // without an outcome the elector would wait until the deadline
                wait.wake();
            }
        });
        threads.start(thread);
        wait.awaitDone(deadline, () -> result.get() != null || cancelled.getAsBoolean());
        Outcome outcome = result.get();
        if (outcome == null) {
            wanted.set(false);
            threads.abandon(thread);
            if (!cancelled.getAsBoolean()) {
                LOG.warn("Candidate {} received no response in time, the attempt is abandoned", describe());
            }
            return false;
        }
        observation = outcome.observed();
        reportNewLeader();
        return outcome.succeeded();
    }

    private void reportNewLeader() {
        String leader = getLeader();
        if (leader.equals(reportedLeader)) {
            return;
        }
        reportedLeader = leader;
        newLeaders.execute(() -> UserCallbacks.attempt(
                () -> config.callbacks().onNewLeader(leader),
                e -> LOG.error("Callback onNewLeader({}) of candidate {} failed", leader, describe(), e)));
    }

    private void stop() {
        boolean led = leading;
        leading = false;
        try {
            if (led) {
                reportMetrics(false);
                config.lock().recordEvent("stopped leading");
            }
            Thread guarded = leadingThread;
            if (guarded != null) {
                threads.abandon(guarded);
            }
            config.callbacks().onStoppedLeading();
            if (guarded != null && config.releaseOnCancel()) {
                release();
            }
        } finally {
            end();
        }
    }

    private void end() {
        newLeaders.shutdown();
        ended.countDown();
    }

    private void release() {
        long runsOut = observation.observedAt() + config.leaseDuration().toNanos();
        if (!wait.awaitDone(runsOut, () -> workEnded)) {
            LOG.warn("Leader {} does not release its lease, its work has not stopped", describe());
            return;
        }
        tryRelease();
    }

    /**
     * Makes {@link #run} end: the guarded work is stopped, and the lock is released if so configured. Returns at once.
     */
    public void cancel() {
        wait.cancel();
    }

    /** Returns whether this candidate held the lock at the last observation; the lease may have expired since. */
    public boolean isLeader() {
        return observation.isHeldBy(config.lock().identity());
    }

    /**
     * Returns whether this candidate may act as leader at this moment: it leads, and its last renewal is younger than
     * the renew deadline. Reads the clock; does not block.
     */
    public boolean isLeading() {
        Observation seen = observation;
        return leading && seen.isHeldBy(config.lock().identity()) && now() - deadline(seen) < 0;
    }

    /** Returns the holder of the lock at the last observation; "" if there was none. */
    public String getLeader() {
        return observation.record().holderIdentity();
    }

    /**
     * Returns whether this candidate is healthy, for a health check. The candidate is unhealthy if it still counts as
     * holder, although it has not renewed the lock for longer than the lease duration (upstream: {@code
     * leaderelection/healthzadaptor.go}).
     *
     * @param tolerance added to the lease duration; {@link #TOLERANCE} is that of kube-controller-manager
     */
    public boolean isHealthy(Duration tolerance) {
        Observation seen = observation;
        Duration overdue = Duration.ofNanos(now() - seen.observedAt()).minus(config.leaseDuration());
        return !seen.isHeldBy(config.lock().identity()) || overdue.compareTo(tolerance) <= 0;
    }

    /**
     * Cancels, and blocks until {@link #run} has returned and the candidate's threads have ended, for at most 30 s.
     * Called by one of these threads, it does not wait. Work and requests that ignore their interrupt get one more
     * second and are then left behind. An interrupt of the caller ends the wait and stays set.
     */
    @Override
    public void close() {
        cancel();
        if (started.compareAndSet(false, true)) {
            end();
            return;
        }
        Thread caller = Thread.currentThread();
        if (caller == runner || threads.contains(caller)) {
            return;
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        try {
            if (!ended.await(CLOSE_SECONDS, TimeUnit.SECONDS)
                    || !threads.await(Duration.ofNanos(deadline - System.nanoTime()))) {
                LOG.warn("Candidate {} is closed, but some of its work has not ended", describe());
            }
        } catch (InterruptedException e) {
            caller.interrupt();
        }
    }

    private String describe() {
        return config.lock().describe() + "/" + config.lock().identity();
    }

    private long now() {
        return config.time().monotonic().nanoTime();
    }
}

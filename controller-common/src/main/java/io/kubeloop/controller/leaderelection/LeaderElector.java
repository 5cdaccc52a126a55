package io.kubeloop.controller.leaderelection;

import io.kubeloop.controller.leaderelection.LeaderAttempt.Outcome;
import io.kubeloop.controller.threads.TrackedThreads;
import io.kubeloop.controller.threads.UserCode;
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
 * One candidate: waits until it is leader, leads for as long as it can renew the lock, and ends (upstream:
 * {@code tools/leaderelection/leaderelection.go}). Thread-safe; runs once.
 *
 * <p>It is stricter than upstream in three points. The renew deadline counts from when the last successful renewal was
 * <em>sent</em>, not from the cycle after its answer, so a slow answer cannot stretch leadership beyond the lease. A
 * request that hangs is given up at the deadline, whatever the client does with interrupts. And the lock is released after
 * the guarded work was stopped, not before.
 */
public final class LeaderElector implements AutoCloseable {

    // Invariants
    //   E1  (I10) leading is true only while now < observedAt of an observation held by this candidate plus
    //       renewDeadline; whoever asks isLeading checks the time as well, so nobody has to notice in time.
    //   E2  onStoppedLeading is called once, on the elector's thread, after leading became false for good.
    //   E3  Only the elector's thread changes observation and leading. Attempts are pure: one that was given up sends
    //       nothing more, and what it returns is dropped. Each ends with an outcome, whatever it throws.
    //   E4  The lock is released only if the guarded work has ended (onStartedLeading and onStoppedLeading returned).
    //   E5  Whoever sets started sees to it that ended is counted down: run and start by the elector's thread, or at
    //       once if it cannot be started; close at once, since then nobody will run.
    //
    //   run:  acquiring ──attempt succeeded──► leading ──deadline, stolen, cancelled──► stopped
    //             └───────────────cancelled────────────────────────────────────────────────┘
    //
    // Threads: the elector's own (whoever calls run, or the one that start makes), one for each attempt while it lasts,
    // one for onStartedLeading, one for onNewLeader, one of the alarm. All are gone when close returns, unless a
    // callback or the client hangs.
    // No lock of its own: observation and leading are volatile with one writer; waiting is in CancellableWait.

    private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);

    /** How long {@link #close} waits for callbacks and for the release. */
    private static final long CLOSE_SECONDS = 30;

    private final LeaderElectionConfig config;
    private final LeaderAttempt attempts;
    private final String threadPrefix;
    private final TrackedThreads threads;
    private final CancellableWait wait;
    private final ExecutorService newLeaders;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private volatile Observation observation;
    private volatile boolean leading;
    private volatile @Nullable Thread runner;
    private volatile @Nullable Thread leadingThread;
    private volatile boolean workEnded;

    /** What onNewLeader heard last. Confined to the elector's thread. */
    private String reportedLeader = "";

    /** Makes a candidate that does nothing before {@link #run} or {@link #start}. */
    public LeaderElector(LeaderElectionConfig config) {
        this.config = config;
        this.attempts = new LeaderAttempt(this.config);
        this.threadPrefix = "kubeloop-leader-election-" + config.lock().describe() + "-";
        this.threads = new TrackedThreads(config.threads());
        this.wait = new CancellableWait(config.time().monotonic(), threadPrefix + "timer");
        this.observation = new Observation(null, now());
        this.newLeaders = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), action -> newThread("new-leader", action));
    }

    /**
     * Takes part in the election until leadership ended or was never obtained before {@link #cancel}. Blocks all that
     * time.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void run() {
        claim();
        takePart();
    }

    /**
     * Does as {@link #run} on a thread of its own, and returns at once. From then on {@link #close} waits for that thread, even
     * if it has not begun yet.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        claim();
        try {
            newThread("elector", this::takePart).start();
        } catch (Throwable e) {
            end();
            throw e;
        }
    }

    private Thread newThread(String role, Runnable action) {
        return threads.newThread(threadPrefix + role, action);
    }

    private void claim() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("candidate " + describe() + " runs once only");
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
        log.info("Candidate {} attempts to acquire the lease", describe());
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
        log.info("Candidate {} became leader", describe());
        leading = true;
        reportMetrics(true);
        config.lock().recordEvent("became leader");
        Thread guarded = newThread("leading", this::startedLeading);
        leadingThread = guarded;
        guarded.start();
        renewUntilLost();
    }

    private void reportMetrics(boolean leading) {
        UserCode.run("metrics of " + describe(), () -> config.metrics().leading(leading));
    }

    private void startedLeading() {
        try {
            config.callbacks().onStartedLeading();
        } catch (InterruptedException e) {
            log.debug("Work of leader {} was interrupted", describe());
        } catch (Exception | Error e) {
            log.error("Work of leader {} failed: it gives the lease up", describe(), e);
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
                log.error("Leader {} could not renew its lease within {}", describe(), config.renewDeadline());
                return;
            }
            next = now() + config.retryPeriod().toNanos();
            tryAcquireOrRenew(deadline);
            if (!isLeader()) {
                log.error("Leader {} lost its lease to \"{}\"", describe(), getLeader());
                return;
            }
            deadline = deadline(observation);
        }
        log.info("Leader {} was told to stop", describe());
    }

    /** Returns until when this candidate may lead by what it has seen. */
    private long deadline(Observation seen) {
        return seen.observedAt() + config.renewDeadline().toNanos();
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    /** One of the things that go to the server. */
    private interface Attempt {
        Outcome run(Observation before, BooleanSupplier wanted);
    }

    /** Makes one attempt to lead; given up at the deadline, and when cancelled. */
    boolean tryAcquireOrRenew(long deadline) {
        return attempt(deadline, attempts::tryAcquireOrRenew, wait::isCancelled);
    }

    /** Makes one attempt to give the lock back; given up after as long as a renewal may take. */
    boolean tryRelease() {
        return attempt(now() + config.renewDeadline().toNanos(), attempts::release, () -> false);
    }

    /** Makes an attempt on a thread of its own, so that no client can keep the elector from ending in time. */
    private boolean attempt(long deadline, Attempt attempt, BooleanSupplier cancelled) {
        AtomicBoolean wanted = new AtomicBoolean(true);
        AtomicReference<@Nullable Outcome> result = new AtomicReference<>();
        Observation before = observation;
        Thread thread = newThread("attempt", () -> {
            Outcome ended = new Outcome(false, before);
            try {
                ended = attempt.run(before, wanted::get);
            } catch (Throwable e) {
                log.error("An attempt of candidate {} failed", describe(), e);
            } finally {
                result.set(ended); // without an outcome the elector would wait for one until the deadline
                wait.wake();
            }
        });
        thread.start();
        wait.awaitDone(deadline, () -> result.get() != null || cancelled.getAsBoolean());
        Outcome outcome = result.get();
        if (outcome == null) {
            wanted.set(false);
            threads.abandon(thread);
            if (!cancelled.getAsBoolean()) {
                log.warn("Candidate {} had no answer in time", describe());
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
        newLeaders.execute(() -> UserCode.run(
                "onNewLeader(\"" + leader + "\") of " + describe(),
                () -> config.callbacks().onNewLeader(leader)));
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
        wait.close();
        ended.countDown();
    }

    private void release() {
        long runsOut = observation.observedAt() + config.leaseDuration().toNanos();
        if (!wait.awaitDone(runsOut, () -> workEnded)) {
            log.warn("Leader {} does not release its lease: its work goes on", describe());
            return;
        }
        tryRelease();
    }

    /** Makes {@link #run} end: guarded work is stopped, the lock is released if so configured. Returns at once. */
    public void cancel() {
        wait.cancel();
    }

    /** Returns whether this candidate held the lock when it was last seen; it may have run out since. */
    public boolean isLeader() {
        return observation.isHeldBy(config.lock().identity());
    }

    /**
     * Returns whether this candidate may act as leader at this moment: it leads, and its last renewal is no older than the
     * renew deadline. Costs a look at the clock.
     */
    public boolean isLeading() {
        Observation seen = observation;
        return leading && seen.isHeldBy(config.lock().identity()) && now() - deadline(seen) < 0;
    }

    /** Returns who held the lock when it was last seen; "" for nobody. */
    public String getLeader() {
        return observation.record().holderIdentity();
    }

    /**
     * Returns whether this candidate is well: false if it holds the lock by what it knows, but has not renewed it for
     * longer than the lease lasts, so that it should have ended. For a health check (upstream:
     * {@code leaderelection/healthzadaptor.go}).
     *
     * @param tolerance how much longer to wait before saying so
     */
    public boolean isHealthy(Duration tolerance) {
        Observation seen = observation;
        Duration overdue = Duration.ofNanos(now() - seen.observedAt()).minus(config.leaseDuration());
        return !seen.isHeldBy(config.lock().identity()) || overdue.compareTo(tolerance) <= 0;
    }

    /**
     * Cancels, and waits up to half a minute for {@link #run} to end and for the candidate's threads to be gone, unless called
     * by one of them. For work and requests that go on in spite of an interrupt it waits a second longer, and leaves them.
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
                    || !threads.join(Duration.ofNanos(deadline - System.nanoTime()))) {
                log.warn("Candidate {} is closed, and some of its work still goes on", describe());
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

package io.kubeloop.controller.leaderelection;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * How a candidate takes part in an election (upstream: {@code leaderelection.LeaderElectionConfig}). Immutable.
 *
 * <p>{@link #of} has the durations of Kubernetes' own components: 15 s, 10 s and 2 s. Where clocks may run at different
 * speeds, leaseDuration / renewDeadline is how much faster one may be than another.
 *
 * @param lock what the candidates agree on
 * @param callbacks what to do
 * @param leaseDuration how long others wait, after the last change that they saw, before they take the lock; written in
 *     whole seconds, at least one; longer than renewDeadline
 * @param renewDeadline how long after its last renewal a leader gives up; longer than 1.2 retryPeriods
 * @param retryPeriod how long to wait between tries; greater than zero
 * @param releaseOnCancel whether to give the lock back in the end, so that another can take it at once
 * @param metrics where numbers go
 * @param time all time there is
 * @param threads makes threads; the elector names them
 */
@RecordBuilder
public record LeaderElectionConfig(
        ResourceLock lock,
        LeaderCallbacks callbacks,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod,
        boolean releaseOnCancel,
        LeaderElectionMetrics metrics,
        ElectionTime time,
        ThreadFactory threads) {

    /** By how much of a retry period candidates wait longer at most, at random. */
    static final double JITTER_FACTOR = 1.2;

    /**
     * Checks the durations against each other.
     *
     * @throws IllegalArgumentException if they do not fit
     */
    public LeaderElectionConfig {
        Objects.requireNonNull(lock, "lock");
        Objects.requireNonNull(callbacks, "callbacks");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(threads, "threads");
        checkDurations(leaseDuration, renewDeadline, retryPeriod);
    }

    /**
     * Checks the durations against each other, before there is anything to elect.
     *
     * @throws IllegalArgumentException if they do not fit
     */
    public static void checkDurations(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException(
                    "leaseDuration " + leaseDuration + " must be greater than renewDeadline " + renewDeadline);
        }
        if (nanos(renewDeadline) <= JITTER_FACTOR * nanos(retryPeriod)) {
            throw new IllegalArgumentException("renewDeadline " + renewDeadline + " must be greater than "
                    + JITTER_FACTOR + " times retryPeriod " + retryPeriod);
        }
        if (retryPeriod.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("retryPeriod " + retryPeriod + " must be greater than zero");
        }
        if (leaseDuration.toSeconds() < 1 || leaseDuration.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("leaseDuration " + leaseDuration
                    + " must be at least a second, and fit the lock's number of seconds");
        }
    }

    /** As many as there can be, where the duration has more: it does not fit then, for one reason or another. */
    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** Returns the configuration of Kubernetes' own components, which does not release the lock. */
    public static LeaderElectionConfig of(ResourceLock lock, LeaderCallbacks callbacks) {
        return new LeaderElectionConfig(
                lock,
                callbacks,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                false,
                LeaderElectionMetrics.NONE,
                ElectionTime.system(),
                Thread::new);
    }

    /** Returns a copy with these durations. */
    public LeaderElectionConfig withDurations(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        return LeaderElectionConfigBuilder.builder(this)
                .leaseDuration(leaseDuration)
                .renewDeadline(renewDeadline)
                .retryPeriod(retryPeriod)
                .build();
    }

    /** Returns a copy that gives the lock back in the end. */
    public LeaderElectionConfig withReleaseOnCancel() {
        return LeaderElectionConfigBuilder.builder(this).releaseOnCancel(true).build();
    }

    /** Returns a copy with metrics. */
    public LeaderElectionConfig withMetrics(LeaderElectionMetrics metrics) {
        return LeaderElectionConfigBuilder.builder(this).metrics(metrics).build();
    }

    /** Returns a copy with another time. */
    public LeaderElectionConfig withTime(ElectionTime time) {
        return LeaderElectionConfigBuilder.builder(this).time(time).build();
    }

    /** Returns a copy with other threads. */
    public LeaderElectionConfig withThreads(ThreadFactory threads) {
        return LeaderElectionConfigBuilder.builder(this).threads(threads).build();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.WithMethods;
import io.kubeloop.controller.ControllerTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The settings of one candidate of an election (upstream: {@code leaderelection.LeaderElectionConfig}). Immutable.
 *
 * @param lock the lock that the candidates compete for
 * @param callbacks called when the candidate's role changes
 * @param durations lease duration, renew deadline and retry period; default {@link LeaseDurations#DEFAULT}
 * @param releaseOnCancel whether the candidate releases the lock when it ends, so another can acquire it at once;
 *     default false
 * @param metrics receives the candidate's metrics; default {@link LeaderElectionMetrics#NONE}
 * @param time the time sources; default the system's
 * @param threads makes threads; the elector names them
 */
@WithMethods
public record LeaderElectionConfig(
        ResourceLock lock,
        LeaderCallbacks callbacks,
        LeaseDurations durations,
        boolean releaseOnCancel,
        LeaderElectionMetrics metrics,
        ControllerTime time,
        ThreadFactory threads)
        implements LeaderElectionConfigBuilder.With {

    /** Checks that nothing is null. */
    public LeaderElectionConfig {
        Objects.requireNonNull(lock, "lock");
        Objects.requireNonNull(callbacks, "callbacks");
        Objects.requireNonNull(durations, "durations");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(threads, "threads");
    }

    /** Returns the configuration of Kubernetes' own components, which do not release the lock. */
    public static LeaderElectionConfig of(ResourceLock lock, LeaderCallbacks callbacks) {
        return new LeaderElectionConfig(
                lock,
                callbacks,
                LeaseDurations.DEFAULT,
                false,
                LeaderElectionMetrics.NONE,
                ControllerTime.system(),
                Thread::new);
    }

    Duration leaseDuration() {
        return durations.leaseDuration();
    }

    Duration renewDeadline() {
        return durations.renewDeadline();
    }

    Duration retryPeriod() {
        return durations.retryPeriod();
    }

    /**
     * Returns a copy with these durations; see {@link LeaseDurations}.
     *
     * @throws IllegalArgumentException if they do not fit each other
     */
    public LeaderElectionConfig withDurations(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        return LeaderElectionConfigBuilder.builder(this)
                .durations(new LeaseDurations(leaseDuration, renewDeadline, retryPeriod))
                .build();
    }

    /** Returns a copy that releases the lock when the candidate ends. */
    public LeaderElectionConfig withReleaseOnCancel() {
        return LeaderElectionConfigBuilder.builder(this).releaseOnCancel(true).build();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The delay before failed pods of a job are replaced: 10 s after the first failure, doubled with each further one, at
 * most 10 min (upstream: {@code backoffStore}). A success resets it, and so does another process that takes the lead.
 *
 * <p>Thread-safe; does not block.
 */
final class PodBackoff {

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final ConcurrentMap<ObjectName, Failures> stored = new ConcurrentHashMap<>();

    /**
     * The failures of a job since its last success.
     *
     * @param count their number
     * @param last the end of the last failed pod; null if there is none
     */
    record Failures(int count, @Nullable Instant last) {

        static final Failures NONE = new Failures(0, null);

        /** Returns the time until the next pod may be created; zero if it may be created now. */
        Duration remaining(Instant now) {
            return last == null ? Duration.ZERO : PodBackoff.remaining(count, last, now);
        }
    }

    /** Returns the time until an index gets its next pod after this one failed; zero if it may be created now. */
    static Duration remainingOfIndex(@Nullable Pod lastFailed, Instant now) {
        return lastFailed == null
                ? Duration.ZERO
                : remaining(PodIndexes.allFailures(lastFailed) + 1, FinishTimes.of(lastFailed), now);
    }

    private static Duration remaining(int failures, Instant last, Instant now) {
        if (failures == 0) {
            return Duration.ZERO;
        }
        Duration delay = FIRST;
        for (int i = 1; i < failures && delay.compareTo(LONGEST) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        delay = delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
        Duration left = delay.minus(Duration.between(last, now));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns the failures of the job, including these newly ended pods. */
    Failures with(ObjectName job, Collection<Pod> succeeded, Collection<Pod> failed) {
        Failures before = stored.getOrDefault(job, Failures.NONE);
        Instant lastSuccess = latest(succeeded);
        if (lastSuccess == null) {
            return failed.isEmpty() ? before : new Failures(before.count() + failed.size(), latest(failed));
        }
        var since = failed.stream()
                .filter(pod -> FinishTimes.of(pod).isAfter(lastSuccess))
                .toList();
        return new Failures(since.size(), latest(since));
    }

    private static @Nullable Instant latest(Collection<Pod> pods) {
        return pods.stream().map(FinishTimes::of).max(Comparator.naturalOrder()).orElse(null);
    }

    /** Stores the failures of a job, once its status counts them. */
    void store(ObjectName job, Failures failures) {
        stored.put(job, failures);
    }

    /** Drops the failures of a job that has ended or is gone. */
    void forget(ObjectName job) {
        stored.remove(job);
    }
}

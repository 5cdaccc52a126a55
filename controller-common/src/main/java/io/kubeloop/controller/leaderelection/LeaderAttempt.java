/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.controller.leaderelection.ResourceLock.Locked;
import io.kubeloop.runtime.UserCallbacks;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One attempt to acquire, renew or release the lock: a function from the last observation of the lock to the next
 * (upstream: {@code tryAcquireOrRenew} and {@code release}).
 *
 * <p>Thread-safe and without state: an abandoned attempt that returns late changes nothing. Each method blocks until
 * the server has responded.
 */
final class LeaderAttempt {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderAttempt.class);

    /** The number of tries of a release that conflicts with other writers. */
    private static final int RELEASE_TRIES = 5;

    /** The duration of a released lease, which has no holder: one second, the shortest possible. */
    private static final int RELEASED_SECONDS = 1;

    /**
     * The outcome of an attempt.
     *
     * @param succeeded whether the lock was acquired, renewed or released
     * @param observed the lock as last observed; newer than before even if the attempt failed
     */
    record Outcome(boolean succeeded, Observation observed) {}

    private final LeaderElectionConfig config;
    private final ResourceLock lock;
    private final String identity;

    LeaderAttempt(LeaderElectionConfig config) {
        this.config = config;
        this.lock = config.lock();
        this.identity = lock.identity();
    }

    /**
     * Tries to acquire the lock, or to renew it if this candidate holds it.
     *
     * @param wanted returns false once the attempt is abandoned; checked before each request
     */
    Outcome tryAcquireOrRenew(Observation before, BooleanSupplier wanted) {
        boolean holder = before.isHeldBy(identity);
        Locked mine = before.locked();
        if (holder && mine != null && before.isValid(now())) {
            try {
                return written(wanted, () -> lock.update(mine, renewed(before)));
            } catch (RuntimeException e) {
                log(e, wanted, "Cannot renew lease {} as {} without reading it, reading it first: {}");
            }
        }
        if (holder) {
            UserCallbacks.attempt(
                    config.metrics()::slowPath,
                    e -> LOG.error("Metrics of candidate {}/{} failed", lock.describe(), identity, e));
        }
        return readAndWrite(before, wanted);
    }

    private Outcome readAndWrite(Observation before, BooleanSupplier wanted) {
        Observation seen = before;
        try {
            Locked read;
            try {
                requireWanted(wanted);
                read = lock.get();
            } catch (ApiException e) {
                if (!e.isNotFound()) {
                    throw e;
                }
                if (lock.isAssigned()) {
                    return new Outcome(false, seen);
                }
                return written(wanted, () -> lock.create(acquired(0)));
            }
            seen = seen.after(read, identity, now());
            boolean isFree = read.record().holderIdentity().isEmpty() || !seen.isValid(now());
            if (!seen.isHeldBy(identity) && (lock.isAssigned() || !isFree)) {
                return new Outcome(false, seen);
            }
            LeaderElectionRecord record = seen.isHeldBy(identity)
                    ? renewed(seen)
                    : acquired(next(read.record().leaderTransitions()));
            return written(wanted, () -> lock.update(read, record));
        } catch (RuntimeException e) {
            log(e, wanted, "Cannot acquire or renew lease {} as {}, trying again: {}");
            return new Outcome(false, seen);
        }
    }

    private void log(RuntimeException failure, BooleanSupplier wanted, String format) {
        LOG.atLevel(isFailure(failure, wanted) ? Level.WARN : Level.INFO)
                .log(format, lock.describe(), identity, failure.toString());
    }

    /**
     * Returns whether the failure needs attention. A candidate without the right to write the lease, or without its
     * namespace, keeps trying like any other. A lost race and an abandoned attempt need no attention.
     */
    private static boolean isFailure(RuntimeException e, BooleanSupplier wanted) {
        boolean race = e instanceof ApiException refused && (refused.isConflict() || refused.isAlreadyExists());
        return !race && wanted.getAsBoolean();
    }

    private interface Write {
        Locked run();
    }

    private Outcome written(BooleanSupplier wanted, Write write) {
        requireWanted(wanted);
        long sentAt = now();
        return new Outcome(true, new Observation(write.run(), sentAt));
    }

    private static void requireWanted(BooleanSupplier wanted) {
        if (!wanted.getAsBoolean()) {
            throw new IllegalStateException("the attempt took too long and was abandoned");
        }
    }

    /**
     * Releases the lock if this candidate holds it. The server decides, not the last observation. A candidate that
     * did not hold the lock at its last observation sends no request.
     */
    Outcome release(Observation before, BooleanSupplier wanted) {
        if (!before.isHeldBy(identity)) {
            return new Outcome(true, before);
        }
        Observation seen = before;
        for (int i = 1; ; i++) {
            try {
                Locked read = lock.get();
                seen = seen.after(read, identity, now());
                if (!seen.isHeldBy(identity)) {
                    return new Outcome(true, seen);
                }
                MicroTime now = wallTime();
                LeaderElectionRecord released = new LeaderElectionRecord(
                        "", RELEASED_SECONDS, now, now, read.record().leaderTransitions());
                return written(wanted, () -> lock.update(read, released));
            } catch (RuntimeException e) {
                boolean again = e instanceof ApiException refused && refused.isConflict() && i < RELEASE_TRIES;
                if (!again) {
                    LOG.warn(
                            "Cannot release lease {} as {}, it expires by itself: {}",
                            lock.describe(),
                            identity,
                            e.toString());
                    return new Outcome(false, seen);
                }
            }
        }
    }

    /** Returns the record of a leader that renews: acquire time and number of transitions stay. */
    private LeaderElectionRecord renewed(Observation seen) {
        LeaderElectionRecord last = seen.record();
        return new LeaderElectionRecord(
                identity, leaseSeconds(), last.acquireTime(), wallTime(), last.leaderTransitions());
    }

    private LeaderElectionRecord acquired(int transitions) {
        MicroTime now = wallTime();
        return new LeaderElectionRecord(identity, leaseSeconds(), now, now, transitions);
    }

    /** Adds one, up to the largest number: servers reject negative ones, and no candidate could lead any more. */
    private static int next(int transitions) {
        return transitions == Integer.MAX_VALUE ? transitions : transitions + 1;
    }

    private int leaseSeconds() {
        return (int) config.leaseDuration().toSeconds();
    }

    private MicroTime wallTime() {
        return new MicroTime(config.time().wall().instant());
    }

    private long now() {
        return config.time().monotonic().nanoTime();
    }
}

package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.controller.leaderelection.ResourceLock.Locked;
import io.kubeloop.controller.threads.UserCode;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One attempt to acquire, renew or release the lock, from what is known before to what is known after it (upstream:
 * {@code tryAcquireOrRenew} and {@code release}).
 *
 * <p>Has no state: an attempt that was given up, and comes back late, changes nothing. Blocks while the server takes its
 * time. Thread-safe.
 */
final class LeaderAttempt {

    private static final Logger log = LoggerFactory.getLogger(LeaderAttempt.class);

    /** How often a release is tried when others write the lock at the same time. */
    private static final int RELEASE_TRIES = 5;

    /** How long a released lease lasts: nobody holds it, and one second is the shortest. */
    private static final int RELEASED_SECONDS = 1;

    /**
     * How an attempt ended.
     *
     * @param succeeded whether the lock was acquired, renewed or released
     * @param observed what is known now; more than before even if the attempt failed
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
     * @param wanted asked before each call to the server: false once nobody waits for the outcome any more
     */
    Outcome tryAcquireOrRenew(Observation before, BooleanSupplier wanted) {
        boolean holder = before.isHeldBy(identity);
        Locked mine = before.locked();
        if (holder && mine != null && before.isValid(now())) {
            try {
                return written(wanted, () -> lock.update(mine, renewed(before)));
            } catch (RuntimeException e) {
                log.debug(
                        "Lease {} could not be renewed at once, so it is read first: {}",
                        lock.describe(),
                        e.toString());
            }
        }
        if (holder) {
            UserCode.run("metrics of " + lock.describe() + "/" + identity, config.metrics()::slowPath);
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
                return written(wanted, () -> lock.create(acquired(0)));
            }
            seen = seen.after(read, identity, now());
            if (!read.record().holderIdentity().isEmpty() && !seen.isHeldBy(identity) && seen.isValid(now())) {
                return new Outcome(false, seen);
            }
            LeaderElectionRecord record = seen.isHeldBy(identity)
                    ? renewed(seen)
                    : acquired(next(read.record().leaderTransitions()));
            return written(wanted, () -> lock.update(read, record));
        } catch (RuntimeException e) {
            log.atLevel(isTrouble(e, wanted) ? Level.WARN : Level.INFO)
                    .log(
                            "Lease {} could not be acquired or renewed by {}: {}",
                            lock.describe(),
                            identity,
                            e.toString());
            return new Outcome(false, seen);
        }
    }

    /**
     * Returns whether somebody should look: a candidate that may not write the lease, or has no namespace for it, goes on
     * waiting like any other. Not if another was faster, or if nobody waits for this attempt any more.
     */
    private static boolean isTrouble(RuntimeException e, BooleanSupplier wanted) {
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
            throw new IllegalStateException("the attempt took too long and was given up");
        }
    }

    /**
     * Gives the lock back if this candidate holds it; what the server says counts, not what was last seen (LE-40). Who does
     * not hold it by what was last seen has nothing to ask.
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
                    log.warn(
                            "Lease {} could not be released by {}, so it runs out by itself: {}",
                            lock.describe(),
                            identity,
                            e.toString());
                    return new Outcome(false, seen);
                }
            }
        }
    }

    /** Returns the record of a leader that goes on: since when, and how many there were, stays (LE-27). */
    private LeaderElectionRecord renewed(Observation seen) {
        LeaderElectionRecord last = seen.record();
        return new LeaderElectionRecord(
                identity, leaseSeconds(), last.acquireTime(), wallTime(), last.leaderTransitions());
    }

    private LeaderElectionRecord acquired(int transitions) {
        MicroTime now = wallTime();
        return new LeaderElectionRecord(identity, leaseSeconds(), now, now, transitions);
    }

    /** Counts on, and stays where there is no greater number: servers refuse negative ones, and nobody could ever lead. */
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

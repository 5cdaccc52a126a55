/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.simulation.state.EndState;
import io.kubeloop.simulation.state.StateDifference;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits until an operator has done its work.
 *
 * <p>The clock counts the work of an operator of this library. Others are idle when neither they nor other components
 * have changed anything for a while in real time. Either has more time if the state is not the expected one: a retry
 * may be under way.
 *
 * @param run the run
 * @param setup what the runs have in common
 * @param ignored paths of states that are not compared
 * @param isPatient whether retries may be under way although no state is expected
 */
record Settling(TrialRun run, Setup setup, Predicate<String> ignored, boolean isPatient) {

    /** The longest pause if no state is expected. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** The part of the silence that is enough between two steps if the state is as expected. */
    private static final int BRIEF = 4;

    private static final Duration POLL = Duration.ofMillis(5);

    /** How long an operator that is not counted has, in real time: 30 times its silence, within these bounds. */
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

    private static final Duration MOST_PATIENCE = Duration.ofSeconds(6);

    /** How long an object that the user deletes may stay, in real time, if the operator is not counted. */
    private static final Duration DELETION = Duration.ofSeconds(20);

    /** How long a program may take from its start to its first request. */
    private static final Duration START = Duration.ofSeconds(60);

    /**
     * Returns when the operator is idle, and the state is the expected one or will not become it.
     *
     * @return whether the operator rests
     */
    boolean settle(@Nullable EndState expected) {
        return settle(expected, true);
    }

    /**
     * As {@link #settle(EndState)}. Between two steps, the first instance of an operator that is not counted is idle
     * after a shorter silence if the state is as expected: a write that it still owes comes during the next step. A
     * later instance may still be starting.
     */
    boolean settle(@Nullable EndState expected, boolean isLast) {
        if (!setup.subject().isCounted()) {
            return settleInRealTime(expected, isLast);
        }
        settleByClock(expected);
        return !run.hasFailed();
    }

    private void settleByClock(@Nullable EndState expected) {
        run.awaitQuiet();
        for (Duration pause : TrialRun.pauses()) {
            if (run.hasFailed() || (!setup.isPaced() && isOver(expected, pause))) {
                return;
            }
            run.advance(pause);
        }
    }

    private boolean isOver(@Nullable EndState expected, Duration pause) {
        return expected == null
                ? !run.isDeleting() && (!isPatient || pause.compareTo(LONGEST) > 0)
                : isAsExpected(expected);
    }

    /** Returns whether the state is the expected one; null for any. */
    boolean isAsExpected(@Nullable EndState expected) {
        return expected == null
                || StateDifference.between(expected, run.state(), ignored).isEmpty();
    }

    private boolean settleInRealTime(@Nullable EndState expected, boolean isLast) {
        Duration brief =
                expected == null || isLast ? setup.calm() : setup.calm().dividedBy(BRIEF);
        long end = System.nanoTime() + patience().toNanos();
        long deletionsEnd = System.nanoTime() + DELETION.toNanos();
        boolean isDone = false;
        boolean isCalm = false;
        for (int round = 0; !isDone && !run.hasFailed() && System.nanoTime() < end; round++) {
            boolean isDeleting = expected == null && System.nanoTime() < deletionsEnd && run.isDeleting();
            end = isDeleting ? System.nanoTime() + patience().toNanos() : end;
            run.awaitWork(); // the start of an instance counts as work
            isCalm = isCalm(round == 0 && run.newest().number() == 0 ? brief : setup.calm());
            if (isCalm && run.goesOn()) {
                end = System.nanoTime() + patience().toNanos();
            } else {
                isDone = isCalm
                        && !run.newest().isBlind()
                        && (run.isHeldBack() || (!isDeleting && isAsExpected(expected)));
            }
        }
        return isCalm && !run.hasFailed();
    }

    private Duration patience() {
        Duration patience = setup.calm().multipliedBy(30);
        Duration most = patience.compareTo(MOST_PATIENCE) < 0 ? patience : MOST_PATIENCE;
        return most.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : most;
    }

    /** Waits for silence, and returns whether it was there until the controllers had done their work, too. */
    private boolean isCalm(Duration silence) {
        awaitFirstRequest();
        boolean isCalm = awaitCalm(run::activity, silence, patience());
        int calmAt = run.activity();
        run.awaitWork(); // on the last writes, which the operator may answer
        return isCalm && run.activity() == calmAt;
    }

    /** A program needs time to start; until its first request its silence means nothing. */
    private void awaitFirstRequest() {
        long end = System.nanoTime() + START.toNanos();
        while (run.newest().requests() == 0 && !run.hasFailed() && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /** Waits until a number has been the same for a while, and returns whether it was; a negative one is a change. */
    static boolean awaitCalm(IntSupplier number, Duration calm, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        int last = -1;
        long since = System.nanoTime();
        while (System.nanoTime() < end) {
            int now = number.getAsInt();
            if (now != last || now < 0) {
                last = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since >= calm.toNanos()) {
                return true;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return false;
    }
}

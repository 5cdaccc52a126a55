/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four candidates on one thread, whose calls take a random time before and after the server has carried them out, and
 * let the others run meanwhile. Responses get lost, and now and then a candidate is cut off from the server.
 */
class LeaderElectionSimulationTest {

    private static final int STEPS = 8_000;
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);

    private final ManualScheduler clock = new ManualScheduler();
    private final FakeLeases server = new FakeLeases();
    private final List<Candidate> candidates = new ArrayList<>();
    private Random random = new Random();
    private Candidate calling;
    private int nesting;
    private int reigns;

    private final class Candidate {

        final LeaderAttempt attempts;
        final String identity;

        /** Shows any time at all: what it writes is for people only (LE-23). */
        final ManualClock wall = new ManualClock(Instant.EPOCH.plusSeconds(random.nextInt()));

        Observation seen = new Observation(null, 0);
        boolean leads;
        boolean busy;
        boolean cutOff;

        Candidate(String identity) {
            this.identity = identity;
            LeaderCallbacks callbacks = new LeaderCallbacks() {
                @Override
                public void onStartedLeading() {}

                @Override
                public void onStoppedLeading() {}
            };
            attempts = new LeaderAttempt(
                    LeaderElectionConfig.of(new LeaseLock(server, new ObjectName("ns", "lock"), identity), callbacks)
                            // Hardly any room between giving up and being replaced: nothing hides in it.
                            .withDurations(Duration.ofSeconds(11), RENEW_DEADLINE, Duration.ofSeconds(2))
                            .withTime(new ControllerTime(wall, clock, random::nextDouble)));
        }

        /** As LeaderElector.isLeading has it. */
        boolean isLeading() {
            return leads
                    && seen.isHeldBy(identity)
                    && clock.nanoTime() - (seen.observedAt() + RENEW_DEADLINE.toNanos()) < 0;
        }

        void step() {
            if (busy) {
                return;
            }
            if (leads && !isLeading()) {
                // The process ends, and a new one with the same name begins, knowing nothing.
                leads = false;
                seen = new Observation(null, clock.nanoTime());
            }
            busy = true;
            Candidate outer = calling;
            calling = this;
            long deadline = (leads ? seen.observedAt() : clock.nanoTime()) + RENEW_DEADLINE.toNanos();
            LeaderAttempt.Outcome outcome = attempts.tryAcquireOrRenew(seen, () -> clock.nanoTime() - deadline < 0);
            calling = outer;
            busy = false;
            if (clock.nanoTime() - deadline < 0) {
                seen = outcome.observed();
                reigns += outcome.succeeded() && !leads ? 1 : 0;
                leads |= outcome.succeeded();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 20_261_120})
    void I10_atMostOneCandidateLeadsAtAnyTime(long seed) {
        random = new Random(seed);
        for (String identity : List.of("a", "b", "c", "d")) {
            candidates.add(new Candidate(identity));
        }
        server.script(new FakeLeases.Script() {
            @Override
            public void before(String verb) {
                live(100);
                if (calling.cutOff || (verb.equals("update") && random.nextInt(6) == 0)) {
                    throw new TransportException(TransportException.Kind.CONNECT, "cut off", null);
                }
            }

            @Override
            public void after(String verb) {
                boolean slow = random.nextInt(8) == 0;
                live(slow ? 9_000 : 100);
                if (random.nextInt(slow ? 2 : 12) == 0) {
                    throw new TransportException(TransportException.Kind.BROKEN, "the answer was lost", null);
                }
            }
        });

        for (int i = 0; i < STEPS; i++) {
            // Mostly short, sometimes longer than anything waits.
            pass(random.nextInt(50) == 0 ? random.nextInt(20_000) : random.nextInt(500));
            candidates.get(random.nextInt(candidates.size())).step();
        }

        assertThat(reigns).as("how often somebody became leader").isGreaterThan(10);
    }

    /** What the others do while a call is on its way, which takes about as many milliseconds at most. */
    private void live(int most) {
        Candidate caller = calling;
        nesting++;
        for (int left = random.nextInt(most + 1); left > 0; left -= 1_000) {
            if (nesting < 3 && random.nextInt(3) == 0) {
                candidates.get(random.nextInt(candidates.size())).step();
            }
            pass(Math.min(left, 1_000));
        }
        nesting--;
        calling = caller;
    }

    private void pass(int millis) {
        if (random.nextInt(25) == 0) {
            Candidate candidate = candidates.get(random.nextInt(candidates.size()));
            candidate.cutOff = !candidate.cutOff;
        }
        clock.advance(Duration.ofMillis(millis));
        candidates.forEach(candidate -> candidate.wall.advance(Duration.ofMillis(millis)));
        assertThat(candidates.stream().filter(Candidate::isLeading).map(c -> c.identity))
                .hasSizeLessThanOrEqualTo(1);
    }
}

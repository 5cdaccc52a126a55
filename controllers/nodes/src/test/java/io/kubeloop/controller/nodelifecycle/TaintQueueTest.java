/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaintQueueTest {

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final TaintQueue queue = new TaintQueue(clock, 0.1);
    private final List<String> tainted = new ArrayList<>();

    @Test
    void firstNode_goesAtOnce_theSecondTenSecondsLater() {
        queue.add("a");
        queue.add("b");
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a");
        assertThat(queue.untilNextTurn()).isEqualTo(Duration.ofSeconds(10));

        clock.advance(Duration.ofMillis(9_900));
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a");

        clock.advance(Duration.ofMillis(100));
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a", "b");
        assertThat(queue.untilNextTurn()).isNull();
    }

    @Test
    void nodeThatWaits_isAddedOnce_andNotAfterItsRemoval() {
        queue.add("a");
        queue.add("b");
        queue.add("a");
        queue.process(tainted::add);
        clock.advance(Duration.ofMinutes(1));
        queue.remove("b");
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a");

        queue.add("a");
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a", "a");
    }

    @Test
    void node_thatCannotBeTainted_isTriedAgain() {
        queue.add("a");
        queue.process(name -> false);
        clock.advance(Duration.ofSeconds(10));

        assertThat(queue.untilNextTurn()).isEqualTo(Duration.ofMillis(100));
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a");
    }

    @Test
    void rateOfZero_taintsNobody_untilItIsChanged() {
        queue.add("a");
        queue.setRate(0);
        clock.advance(Duration.ofHours(1));
        queue.process(tainted::add);
        assertThat(tainted).isEmpty();
        assertThat(queue.untilNextTurn()).isNull();

        queue.setRate(0.1);
        queue.process(tainted::add);
        assertThat(tainted).isEmpty();
        assertThat(queue.untilNextTurn()).isEqualTo(Duration.ofSeconds(10));

        clock.advance(Duration.ofSeconds(10));
        queue.process(tainted::add);
        assertThat(tainted).containsExactly("a");
    }

    @Test
    void changedRate_keepsTheTurnOfANodeThatMayBeTainted() {
        queue.add("a");
        queue.setRate(0.01);
        queue.process(tainted::add);

        assertThat(tainted).containsExactly("a");
    }
}

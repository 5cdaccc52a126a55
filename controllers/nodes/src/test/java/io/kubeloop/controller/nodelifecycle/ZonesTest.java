/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec;
import io.kubeloop.api.core.NodeStatus;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.nodelifecycle.Zones.Outcome;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZonesTest {

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final FakeMetrics metrics = new FakeMetrics();
    private final Zones zones = new Zones(NodeLifecycleConfig.DEFAULT, clock, metrics);

    private static Node node(String zone) {
        return Node.of(
                ObjectMetaBuilder.builder()
                        .name("n")
                        .labels(Map.of("topology.kubernetes.io/zone", zone))
                        .build(),
                NodeSpec.EMPTY,
                NodeStatus.EMPTY);
    }

    private void count(String zone, int ready, int failed) {
        zones.queue(node(zone));
        for (int i = 0; i < ready + failed; i++) {
            zones.count(node(zone), i < ready);
        }
    }

    private Outcome pass(int ready, int failed) {
        zones.beginPass();
        count("a", ready, failed);
        return zones.endPass();
    }

    /** Returns how many nodes of a zone are tainted within a time. */
    private int taintedIn(Duration time) {
        TaintQueue queue = zones.queue(node("a"));
        for (int i = 0; i < 100; i++) {
            queue.add("n" + i);
        }
        int[] tainted = {0};
        for (long second = 0; second <= time.toSeconds(); second++) {
            queue.process(name -> ++tainted[0] > 0);
            clock.advance(Duration.ofSeconds(1));
        }
        return tainted[0];
    }

    @Test
    void zoneWhoseLastNodeIsGone_isReportedAsEmpty() {
        pass(2, 2);
        assertThat(metrics.values()).containsEntry("node_collector_zone_size[" + Zones.key(node("a")) + "]", 4.0);

        zones.beginPass();
        zones.endPass();

        assertThat(metrics.values().values()).containsExactlyInAnyOrder(0.0, 0.0, 0.0, 100.0);
    }

    @Test
    void zoneWithFewFailures_isTaintedAtTheNormalRate() {
        pass(8, 2);

        assertThat(taintedIn(Duration.ofSeconds(100))).isEqualTo(11);
    }

    @Test
    void smallZoneThatIsPartiallyDisrupted_isNotTainted() {
        pass(4, 6);

        assertThat(taintedIn(Duration.ofHours(1))).isZero();
    }

    @Test
    void largeZoneThatIsPartiallyDisrupted_isTaintedAtTheSecondaryRate() {
        pass(20, 40);

        assertThat(taintedIn(Duration.ofSeconds(1000))).isEqualTo(11);
    }

    @Test
    void twoFailures_areNeverADisruption() {
        pass(1, 2);

        assertThat(taintedIn(Duration.ofSeconds(10))).isEqualTo(2);
    }

    @Test
    void allZonesFailed_isReportedByEachPass_andTheRecoveryOnce() {
        assertThat(pass(3, 0)).isEqualTo(Outcome.UNCHANGED);
        assertThat(pass(0, 3)).isEqualTo(Outcome.ALL_FAILED);
        assertThat(pass(0, 3)).isEqualTo(Outcome.ALL_FAILED);
        assertThat(taintedIn(Duration.ofHours(1))).isZero();

        assertThat(pass(1, 2)).isEqualTo(Outcome.RECOVERED);
        assertThat(taintedIn(Duration.ofSeconds(10))).isEqualTo(1);
    }

    @Test
    void oneOfTwoZonesFailed_isTaintedAtTheNormalRate() {
        zones.beginPass();
        count("a", 0, 3);
        count("b", 3, 0);

        assertThat(zones.endPass()).isEqualTo(Outcome.UNCHANGED);
        assertThat(taintedIn(Duration.ofSeconds(100))).isEqualTo(11);
    }

    @Test
    void excludedNode_isNotCounted() {
        zones.beginPass();
        count("a", 1, 0);
        Node excluded = Node.of(
                ObjectMetaBuilder.builder()
                        .labels(Map.of("node.kubernetes.io/exclude-disruption", ""))
                        .build(),
                NodeSpec.EMPTY,
                NodeStatus.EMPTY);
        zones.count(excluded, false);

        assertThat(zones.endPass()).isEqualTo(Outcome.UNCHANGED);
    }
}

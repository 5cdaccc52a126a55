/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DaemonHistoryTest {

    @Test
    void nameOfARevisionIsTaken_theCollisionIsCounted_andTheNextHashIsUsed() {
        try (DaemonSetSimulation simulation = new DaemonSetSimulation(1)) {
            simulation.collide();
            simulation.run(0);
            assertThat(simulation.status().collisionCount()).isEqualTo(1);
            assertThat(simulation.revisions()).hasSize(2);
        }
    }

    @Test
    void twoRevisionsOfATemplate_theHigherNumberStays_andPodsGetItsHash() {
        try (DaemonSetSimulation simulation = new DaemonSetSimulation(1)) {
            simulation.run(0);
            String kept = simulation.duplicate();
            simulation.run(0);
            assertThat(simulation.revisions()).as(simulation.toString()).containsExactly(kept);
            assertThat(simulation.hashes()).containsExactly(kept);
        }
    }
}

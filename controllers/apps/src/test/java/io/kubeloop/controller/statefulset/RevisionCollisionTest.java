/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RevisionCollisionTest {

    @Test
    void nameOfARevisionIsTaken_theNextHashIsUsed_andTheCollisionIsCounted() {
        try (StatefulSetSimulation simulation = new StatefulSetSimulation(1)) {
            String next = simulation.collide();
            simulation.run(0);
            assertThat(simulation.status().collisionCount()).isEqualTo(1);
            assertThat(simulation.status().updateRevision()).isEqualTo(next);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClusterSizeTest {

    private final ClusterSize size = new ClusterSize();
    private int nodes;

    private int at(int wanted) {
        for (; nodes < wanted; nodes++) {
            size.add();
        }
        for (; nodes > wanted; nodes--) {
            size.remove();
        }
        return size.seconds();
    }

    @Test
    void seconds_growWithTheCluster_andShrinkLater() {
        assertThat(at(100)).isZero();
        assertThat(at(101)).isEqualTo(15);
        assertThat(at(90)).isEqualTo(15);
        assertThat(at(89)).isZero();
        assertThat(at(501)).isEqualTo(30);
        assertThat(at(1001)).isEqualTo(60);
        assertThat(at(2001)).isEqualTo(300);
        assertThat(at(1800)).isEqualTo(300);
        assertThat(at(1799)).isEqualTo(60);
        assertThat(at(0)).isZero();
    }
}

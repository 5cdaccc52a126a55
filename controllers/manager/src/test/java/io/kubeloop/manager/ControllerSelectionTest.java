/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ControllerSelectionTest {

    private static final ControllerDescriptor ENDPOINT = descriptor("endpoints-controller", "endpoint");
    private static final ControllerDescriptor REPLICA_SET = descriptor("replicaset-controller", "replicaset");

    private static ControllerDescriptor descriptor(String name, String alias) {
        return new ControllerDescriptor(name, alias, (context, options) -> {
            throw new AssertionError("not to be started");
        });
    }

    @Test
    void isEnabled_star_enablesAll() {
        assertThat(ControllerSelection.of("*").isEnabled(ENDPOINT)).isTrue();
        assertThat(ControllerSelection.of("*", "-endpoint").isEnabled(ENDPOINT)).isFalse();
        assertThat(ControllerSelection.of("*", "-endpoint").isEnabled(REPLICA_SET))
                .isTrue();
    }

    @Test
    void isEnabled_namedOrNot_decidesWithoutStar() {
        assertThat(ControllerSelection.of("endpoint").isEnabled(ENDPOINT)).isTrue();
        assertThat(ControllerSelection.of("endpoint").isEnabled(REPLICA_SET)).isFalse();
        assertThat(ControllerSelection.of().isEnabled(ENDPOINT)).isFalse();
    }

    @Test
    void isEnabled_firstEntryThatSpeaksOfIt_decides() {
        assertThat(ControllerSelection.of("-endpoint", "endpoint").isEnabled(ENDPOINT))
                .isFalse();
        assertThat(ControllerSelection.of("endpoint", "-endpoint").isEnabled(ENDPOINT))
                .isTrue();
    }

    @Test
    void isEnabled_newName_isUnderstood() {
        assertThat(ControllerSelection.of("*", "-endpoints-controller").isEnabled(ENDPOINT))
                .isFalse();
    }

    @Test
    void select_namesNoController_isReported() {
        ControllerTable table = new ControllerTable(List.of(ENDPOINT, REPLICA_SET));
        assertThat(table.select(ControllerSelection.of("*", "-endpoint"))).containsExactly(REPLICA_SET);
        assertThatThrownBy(() -> table.select(ControllerSelection.of("*", "-endpoint", "nod", "-x", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"nod\", \"x\", \"\" is not in the list of known controllers: endpoints-controller, "
                        + "replicaset-controller");
    }
}

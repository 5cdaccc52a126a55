/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ControllerTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names add controllers to those that each server needs; {@code -*} leaves the latter out. */
class NamedControllersTest {

    private static Set<String> enabled(ControlPlane.Builder builder) {
        ControllerSelection selection = builder.selection();
        return ControllerTable.BUILT_IN.select(selection).stream()
                .map(ControllerDescriptor::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> housekeepingAnd(String... more) {
        List<String> all = new ArrayList<>(ControlPlane.HOUSEKEEPING);
        all.addAll(Arrays.asList(more));
        return new TreeSet<>(all);
    }

    @Test
    void controllers_runBesideTheHousekeeping() {
        assertThat(enabled(ControlPlane.builder())).isEqualTo(housekeepingAnd());
        assertThat(enabled(ControlPlane.builder().controllers("job-controller")))
                .isEqualTo(housekeepingAnd("job-controller"));
        assertThat(enabled(ControlPlane.builder().controllers("job-controller").rootCa("PEM")))
                .isEqualTo(housekeepingAnd("job-controller", ControlPlane.ROOT_CA_PUBLISHER));
        assertThat(enabled(ControlPlane.builder().controllers("*", "-job-controller")))
                .containsAll(ControlPlane.HOUSEKEEPING)
                .contains("deployment-controller")
                .doesNotContain("job-controller");
    }

    @Test
    void controllers_withAMinus_doNotRun() {
        Set<String> others = housekeepingAnd();
        others.remove("namespace-controller");
        assertThat(enabled(ControlPlane.builder().controllers("-namespace-controller")))
                .isEqualTo(others);
        assertThat(enabled(ControlPlane.builder().controllers("-*", "job-controller")))
                .containsExactly("job-controller");
        assertThat(enabled(ControlPlane.builder().controllers("-*").rootCa("PEM")))
                .isEmpty();
        assertThat(enabled(ControlPlane.builder().controllers(List.of()))).isEmpty();
        assertThat(enabled(ControlPlane.builder().garbageCollector(false))).isEmpty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.OptionValues;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every gate that the controllers of kube-controller-manager read, as record-manager.sh found them in its sources. */
class FeatureGatesTest {

    /** What the manager itself does by a gate. */
    private static final Map<String, String> ACTING = Map.of(
            "ComponentFlagz", "`/flagz` is served",
            "ComponentStatusz", "`/statusz` is served",
            "ControllerManagerReleaseLeaderElectionLockOnExit", "acts always: the lease is released at an orderly end",
            "CoordinatedLeaderElection", "the server chooses the leader");

    record Row(
            String name,
            boolean isOn,
            boolean isLocked,
            Set<String> required,
            List<String> controllers,
            String readers) {

        String here() {
            if (isLocked) {
                return "locked: another value is refused";
            }
            List<String> known =
                    controllers.stream().filter(FeatureGatesTest::runs).toList();
            if (isOn && !known.isEmpty()) {
                return "`false` stops `" + String.join("`, `", known) + "`";
            }
            return ACTING.getOrDefault(name, "no effect, which the log says");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static boolean runs(String controller) {
        return ControllerTable.BUILT_IN.descriptors().stream()
                .anyMatch(
                        each -> each.name().equals(controller) && each.skipped().isEmpty());
    }

    static Stream<Row> rows() throws IOException {
        try (InputStream in = FeatureGates.class.getResourceAsStream("feature-gates.tsv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split("\t", -1))
                    .filter(cells -> !cells[6].isEmpty())
                    .map(cells -> new Row(
                            cells[0],
                            Boolean.parseBoolean(cells[1]),
                            Boolean.parseBoolean(cells[2]),
                            cells[4].isEmpty() ? Set.of() : Set.of(cells[4].split(" ")),
                            cells[5].isEmpty() ? List.of() : List.of(cells[5].split(" ")),
                            cells[6]));
        }
    }

    private static OptionValues parse(String... flags) {
        return ControllerManagerCommand.OPTIONS.parse(flags);
    }

    private static ControllerDescriptor controller(String name) {
        return ControllerTable.BUILT_IN.descriptors().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anotherValue_actsIsRefusedOrIsSaidOnce(Row gate) {
        Map<String, Boolean> others = new TreeMap<>();
        gate.required().forEach(name -> others.put(name, true));
        String flag = "--feature-gates=" + gate.name() + "=" + !gate.isOn();
        List<String> flags = new ArrayList<>(List.of(flag));
        others.forEach((name, value) -> flags.add("--feature-gates=" + name + "=" + value));
        OptionValues values = parse(flags.toArray(String[]::new));
        List<String> problems = FeatureGates.problems(values).stream()
                .filter(each -> !each.isEmpty())
                .toList();
        if (gate.isLocked()) {
            assertThat(problems)
                    .containsExactly("cannot set feature gate " + gate.name() + " to " + !gate.isOn()
                            + ", feature is locked to " + gate.isOn());
            return;
        }
        if (!problems.isEmpty()) {
            assertThat(problems)
                    .allMatch(each -> each.contains("depends on features that are disabled: [" + gate.name()));
            return;
        }
        assertThat(FeatureGates.withoutEffect(values).stream()
                        .filter(line -> line.startsWith(flag.replace("=" + gate.name(), ": " + gate.name()))))
                .hasSize(gate.here().startsWith("no effect") ? 1 : 0);
        ManagerSettings settings = ManagerSettings.of(parse("--controllers=*"), ControllerTable.BUILT_IN);
        ManagerSettings without = ManagerSettings.of(values, ControllerTable.BUILT_IN);
        for (String name : gate.controllers()) {
            if (gate.isOn() && runs(name)) {
                assertThat(settings.selection().isEnabled(controller(name))).isTrue();
                assertThat(without.selection().isEnabled(controller(name))).isFalse();
            }
        }
    }

    @Test
    void gatesOfAStage_areSaid() {
        assertThat(FeatureGates.withoutEffect(parse("--feature-gates=AllBeta=false")))
                .hasSize(1);
        assertThat(FeatureGates.withoutEffect(parse("--feature-gates=AllAlpha=false")))
                .isEmpty();
    }

    @Test
    void anotherRelease_isSaid() {
        assertThat(FeatureGates.withoutEffect(parse("--emulated-version=1.36")))
                .containsExactly("--emulated-version=1.36.0 has no effect: the controllers behave as those of 1.37");
        assertThat(FeatureGates.withoutEffect(parse("--emulated-version=kube=1.37")))
                .isEmpty();
    }

    @Test
    void pageOfTheGates_isMadeOfTheirTable() throws IOException {
        StringBuilder page = new StringBuilder("\n| gate | default | read by | here |\n| --- | --- | --- | --- |\n");
        rows().forEach(gate -> page.append("| `" + gate.name() + "` | " + gate.isOn() + " | "
                + gate.readers().replace(" ", ", ") + " | " + gate.here() + " |\n"));
        OptionTableTest.checkPage(
                "docs/replace-kube-controller-manager.md",
                "<!-- made of feature-gates.tsv -->\n",
                page.append('\n').toString());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.Faults;
import io.kubeloop.controlplane.RequestMatch;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventStatistics;

/** Runs classes that fail on purpose. */
@Isolated("replaces standard error")
class FailureReportTest {

    /** The engine runs it only when this test selects it. */
    @KubeloopTest
    @Tag("inner")
    static class Failing {

        @Test
        void fails(KubeClient client, Faults faults) {
            faults.next(RequestMatch.deletes(ResourceTypes.PODS)).conflict();
            for (int i = 0; i < 300; i++) {
                client.resource(ResourceTypes.CONFIG_MAPS)
                        .create(ConfigMap.of(ObjectMeta.named("default", "map-" + i), Map.of("key", "x".repeat(5000))));
            }
            client.resource(ResourceTypes.CONFIG_MAPS).get(new ObjectName("default", "absent"));
        }
    }

    @KubeloopTest(scope = KubeloopTest.Scope.CLASS)
    @Tag("inner")
    static class Shared {

        static final List<ControlPlane> SEEN = new ArrayList<>();

        @BeforeAll
        static void prepare(ControlPlane plane) {
            SEEN.add(plane);
        }

        @Test
        void first(ControlPlane plane) {
            SEEN.add(plane);
        }

        @Test
        void second(ControlPlane plane) {
            SEEN.add(plane);
        }
    }

    @KubeloopTest
    @Tag("inner")
    static class TooEarly {

        @BeforeAll
        static void prepare(ControlPlane plane) {
            assertThat(plane).isNull();
        }

        @Test
        void never(TestInfo info) {
            assertThat(info).isNotNull();
        }
    }

    private static String run(Class<?> type, long failures) {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, UTF_8));
        try {
            EngineTestKit.engine("junit-jupiter")
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                    .selectors(selectClass(type))
                    .execute()
                    .testEvents()
                    .assertStatistics((EventStatistics statistics) -> statistics.failed(failures));
        } finally {
            System.setErr(before);
        }
        return printed.toString(UTF_8);
    }

    @Test
    void failedTest_printsWhatHappened() {
        String printed = run(Failing.class, 1);

        assertThat(printed)
                .contains("Control plane of the failed test Failing fails(")
                .contains("faults that met no request: [deletes of pods]")
                .contains("objects (the last 60 of ")
                .contains("ConfigMap default/map-299")
                .contains("requests (the last 60 of 301)")
                .contains("404 GET /api/v1/namespaces/default/configmaps/absent")
                .doesNotContain("map-1\n");
        assertThat(printed.length()).isLessThan(100_000);
    }

    @Test
    void classScope_sharesTheControlPlane() {
        Shared.SEEN.clear();
        run(Shared.class, 0);

        assertThat(Shared.SEEN).hasSize(3).containsOnly(Shared.SEEN.get(0));
    }

    @Test
    void methodScope_hasNothingForBeforeAll() {
        assertThat(EngineTestKit.engine("junit-jupiter")
                        .selectors(selectClass(TooEarly.class))
                        .execute()
                        .containerEvents()
                        .failed()
                        .list()
                        .toString())
                .contains("need @KubeloopTest(scope = CLASS)");
    }
}

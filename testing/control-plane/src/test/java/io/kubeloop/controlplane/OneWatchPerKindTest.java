/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.cache.InformerHealth;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The controllers that follow all resources share the watches of the others, so each kind has one watch. */
@Timeout(60)
class OneWatchPerKindTest {

    /** kube-controller-manager 1.37.2 has 65 watches on its server. */
    private static final int MOST_WATCHES = 65;

    private static List<String> watches(ControlPlane plane) {
        return plane.controllerInformers().health().stream()
                .map(InformerHealth::name)
                .toList();
    }

    private static ControlPlane with(String... controllers) {
        return ControlPlane.builder().controllers(controllers).start();
    }

    @Test
    void allControllers_watchEachKindOnce() {
        try (ControlPlane plane = with("*")) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(watches(plane)).contains("limitranges(metadata)"));
            assertThat(watches(plane).stream().map(name -> name.replace("(metadata)", "")))
                    .doesNotHaveDuplicates()
                    .hasSizeLessThanOrEqualTo(MOST_WATCHES);
        }
    }

    /** Without the Deployment controller no controller needs more of a Deployment than its metadata. */
    @Test
    void kindsOfControllersThatDoNotRun_areCachedByMetadata() {
        try (ControlPlane plane = with("-*", "garbage-collector-controller", "job-controller")) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(watches(plane))
                            .contains("deployments.apps(metadata)", "jobs.batch", "pods")
                            .doesNotContain("jobs.batch(metadata)", "pods(metadata)", "deployments.apps"));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.controlplane.SimulatedClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Upstream's controllers work together, and a test waits for all of them. */
@KubeloopTest(
        controllers = {"deployment-controller", "replicaset-controller", "job-controller"},
        frozen = true)
class WorkloadTest {

    private static final String WEB = """
            {"metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
             "minReadySeconds":30,
             "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}""";

    private static final String JOB = """
            {"metadata":{"name":"once"},"spec":{"completions":3,"parallelism":2,
             "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}""";

    @Test
    void job_completesByItself(KubeClient client, SimulatedClock clock) {
        create(client, "/apis/batch/v1/namespaces/default/jobs", JOB);
        clock.awaitQuiet();
        var jobs = client.resource(ResourceTypes.JOBS);
        ObjectName once = new ObjectName("default", "once");
        assertThat(jobs.get(once).status().active()).isEqualTo(2);

        clock.advance(Duration.ofMinutes(1));

        assertThat(jobs.get(once).status().succeeded()).isEqualTo(3);
        assertThat(jobs.get(once).status().conditions())
                .anyMatch(condition -> condition.type().equals("Complete"));
    }

    private static void create(KubeClient client, String path, String object) {
        try (ApiResponse created = client.transport()
                .execute(ApiRequest.of("POST", path, Map.of(), ApiRequest.Body.json(object.getBytes(UTF_8))))) {
            assertThat(created.code()).isEqualTo(201);
        }
    }

    @Tag("stress")
    @ParameterizedTest
    @MethodSource("io.kubeloop.junit.Rounds#all")
    void deployment_isAvailableAfterItsTime(int round, KubeClient client, SimulatedClock clock) {
        create(client, "/apis/apps/v1/namespaces/default/deployments", WEB);
        clock.awaitQuiet();
        var deployments = client.resource(ResourceTypes.DEPLOYMENTS);
        ObjectName web = new ObjectName("default", "web");
        assertThat(deployments.get(web).status().readyReplicas()).isEqualTo(3);
        assertThat(deployments.get(web).status().availableReplicas()).isZero();
        assertThat(client.resource(ResourceTypes.EVENTS)
                        .list("default", ListOptions.NONE)
                        .items())
                .filteredOn(event -> event.reason().equals("SuccessfulCreate"))
                .hasSize(3);

        clock.advance(Duration.ofSeconds(31));
        assertThat(deployments.get(web).status().availableReplicas()).isEqualTo(3);
    }
}

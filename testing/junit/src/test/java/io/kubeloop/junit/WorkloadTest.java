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
import org.junit.jupiter.api.RepeatedTest;

/** Upstream's controllers work together, and a test waits for all of them. */
@KubeloopTest(
        controllers = {"deployment-controller", "replicaset-controller"},
        frozen = true)
class WorkloadTest {

    private static final String WEB = """
            {"metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
             "minReadySeconds":30,
             "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}""";

    @RepeatedTest(10)
    void deployment_isAvailableAfterItsTime(KubeClient client, SimulatedClock clock) {
        try (ApiResponse created = client.transport()
                .execute(ApiRequest.of(
                        "POST",
                        "/apis/apps/v1/namespaces/default/deployments",
                        Map.of(),
                        ApiRequest.Body.json(WEB.getBytes(UTF_8))))) {
            assertThat(created.code()).isEqualTo(201);
        }
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

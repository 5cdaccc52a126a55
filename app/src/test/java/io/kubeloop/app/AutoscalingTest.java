/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscalerStatus;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.deployment.DeploymentController;
import io.kubeloop.controller.podautoscaling.HorizontalPodAutoscalerController;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import io.kubeloop.controller.replicaset.ReplicaSetController;
import io.kubeloop.controller.replicaset.ReplicaSetControllerConfig;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedMetrics;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Autoscalers on the control plane of this process, whose metrics the test sets. */
class AutoscalingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final PodAutoscalingConfig CONFIG = PodAutoscalingConfig.DEFAULT
            .withSyncPeriod(Duration.ofMillis(200))
            .withDownscaleStabilization(Duration.ZERO)
            .withInitialization(Duration.ZERO, Duration.ZERO);

    private final SimulatedMetrics metrics = new SimulatedMetrics();
    private final ControlPlane plane =
            ControlPlane.builder().kubelet(true).metrics(metrics).start();
    private final KubeClient client = KubeClient.of(plane.transport(), JsonCodec.standard());
    private ControllerRunner runner;

    @BeforeEach
    void start() {
        runner = ControllerRunner.builder(client)
                .controller(DeploymentController::of)
                .controller(context -> ReplicaSetController.ofReplicaSets(context, ReplicaSetControllerConfig.DEFAULT))
                .controller(context -> HorizontalPodAutoscalerController.of(context, CONFIG))
                .start();
    }

    @AfterEach
    void close() {
        runner.close();
        plane.close();
    }

    private <T extends KubeObject> void create(ResourceType<T> type, String json) {
        client.resource(type)
                .create(JsonCodec.standard()
                        .decode(
                                type,
                                new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
    }

    private void createAutoscaled(String name, String metric) {
        create(ResourceTypes.DEPLOYMENTS, """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'replicas':1,\
                'selector':{'matchLabels':{'app':'%s'}},
                 'template':{'metadata':{'labels':{'app':'%s'}},
                 'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'100m'}}}]}}}\
                }""".formatted(name, name, name));
        create(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'minReplicas':1,'maxReplicas':5,
                 'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'%s'},'metrics':[%s]}\
                }""".formatted(name, name, metric));
    }

    private void awaitReplicas(String name, int replicas) {
        ObjectName key = new ObjectName("default", name);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(client.resource(ResourceTypes.DEPLOYMENTS)
                            .get(key)
                            .spec()
                            .replicas())
                    .isEqualTo(replicas);
            HorizontalPodAutoscalerStatus status = client.resource(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS)
                    .get(key)
                    .status();
            assertThat(status.currentReplicas()).isEqualTo(replicas);
            assertThat(status.currentMetrics()).hasSize(1);
        });
    }

    @Test
    void resourceMetric_deploymentScalesUpAndDown() {
        metrics.setUsage("default", "app=cpu", Map.of("cpu", "100m"));
        createAutoscaled(
                "cpu",
                "{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization','averageUtilization':50}}"
                        + "}");
        awaitReplicas("cpu", 5);

        metrics.setUsage("default", "app=cpu", Map.of("cpu", "10m"));
        awaitReplicas("cpu", 1);
    }

    @Test
    void podsMetric_deploymentScalesUpAndDown() {
        metrics.setPodMetric("default", "app=packets", "packets-per-second", "2k");
        createAutoscaled(
                "packets",
                "{'type':'Pods','pods':{'metric':{'name':'packets-per-second'},'target':{'type':'AverageValue',"
                        + "'averageValue':'1k'}}}");
        awaitReplicas("packets", 5);

        metrics.setPodMetric("default", "app=packets", "packets-per-second", "100");
        awaitReplicas("packets", 1);
    }

    @Test
    void objectMetric_deploymentScalesUpAndDown() {
        metrics.setObjectMetric("default", "services", "web", "hits", "35");
        createAutoscaled(
                "hits",
                "{'type':'Object','object':{'describedObject':{'apiVersion':'v1','kind':'Service','name':'web'},"
                        + "'metric':{'name':'hits'},'target':{'type':'AverageValue','averageValue':'10'}}}");
        awaitReplicas("hits", 4);

        metrics.setObjectMetric("default", "services", "web", "hits", "20");
        awaitReplicas("hits", 2);
    }

    @Test
    void externalMetric_sumOfSelectedSeries_deploymentScalesUpAndDown() {
        metrics.setExternalMetric("default", "queue", Map.of("name", "mail", "zone", "a"), "20");
        metrics.setExternalMetric("default", "queue", Map.of("name", "mail", "zone", "b"), "10");
        metrics.setExternalMetric("default", "queue", Map.of("name", "other"), "1000");
        createAutoscaled(
                "queue",
                "{'type':'External','external':{'metric':{'name':'queue','selector':{'matchLabels':{'name':'mail'}}},"
                        + "'target':{'type':'AverageValue','averageValue':'10'}}}");
        awaitReplicas("queue", 3);

        metrics.setExternalMetric("default", "queue", Map.of("name", "mail", "zone", "a"), "5");
        awaitReplicas("queue", 2);
    }
}

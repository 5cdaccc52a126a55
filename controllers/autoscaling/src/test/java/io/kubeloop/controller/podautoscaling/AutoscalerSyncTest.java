/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Condition;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sync of an autoscaler, on an API server whose state the caches show at once. */
class AutoscalerSyncTest {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final StubMetricsApi metricsApi = new StubMetricsApi();
    private final Sieve sieve = new Sieve();
    private final KubeClient client = KubeClient.of(sieve, JsonCodec.standard());
    private final FakeRecorder events = new FakeRecorder();
    private final TargetSelectors selectors = new TargetSelectors();
    private final LaggingCache<HorizontalPodAutoscaler> autoscalers = new LaggingCache<>();
    private final LaggingCache<Pod> pods = new LaggingCache<>();
    private final ScaleClient scales = new ScaleClient(sieve);
    private final List<String> recorded = new ArrayList<>();
    private final AutoscalerMonitor monitor = new AutoscalerMonitor(
            (metric, value, labels) -> recorded.add(
                    metric.name().replace("horizontal_pod_autoscaler_controller_", "") + List.of(labels) + " " + value),
            clock);
    private final AutoscalerSync sync = new AutoscalerSync(
            autoscalers,
            new WriteBarrier(clock, key -> {})
                    .owners(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, client, new FakeLister<>()),
            scales,
            new AutoscalerMetrics(
                    new MetricEvaluation(new ReplicaCalculator(
                            new MetricsClient(sieve, scales, clock, Duration.ofSeconds(15)),
                            pods,
                            PodAutoscalingConfig.DEFAULT,
                            clock)),
                    selectors,
                    pods,
                    events,
                    0.1,
                    monitor),
            events,
            Duration.ofMinutes(5),
            monitor);

    /** Sends requests for metrics to the stub, rejects some writes, and keeps the writes. */
    private final class Sieve implements Transport {

        private final List<String> writes = new ArrayList<>();
        private int conflicts;
        private boolean refusesStatus;

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (request.path().startsWith("/apis/external.metrics.k8s.io/")) {
                return metricsApi.execute(request);
            }
            if (!request.method().equals("GET")) {
                writes.add(request.method() + " " + request.path());
            }
            if (request.path().endsWith("/scale") && request.method().equals("PUT") && conflicts-- > 0) {
                return failure(409, "Conflict", "changed meanwhile");
            }
            return refusesStatus && request.path().endsWith("/status")
                    ? failure(422, "Invalid", "no such status")
                    : server.transport().execute(request);
        }

        private ApiResponse failure(int code, String reason, String message) {
            String body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"" + reason
                    + "\",\"message\":\"" + message + "\",\"code\":" + code + "}";
            return new ApiResponse(
                    code,
                    Map.of("content-type", List.of(ApiRequest.JSON)),
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw new UnsupportedOperationException("the caches are filled by hand");
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private <T extends KubeObject> void create(ResourceType<T> type, String json) {
        client.resource(type)
                .create(JsonCodec.standard()
                        .decode(
                                type,
                                new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
        sieve.writes.clear();
    }

    private void createDeployment(String name, int replicas) {
        create(ResourceTypes.DEPLOYMENTS, """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'replicas':%d,\
                'selector':{'matchLabels':{'app':'web'}},
                 'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}\
                }""".formatted(name, replicas));
        client.resource(ResourceTypes.DEPLOYMENTS)
                .patch(
                        new ObjectName("default", name),
                        Patch.merge("{\"status\":{\"replicas\":" + replicas + "}}"),
                        "status");
        sieve.writes.clear();
    }

    private void createAutoscaler(String name, String rest) {
        create(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'minReplicas':2,'maxReplicas':10,
                 'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'web'},
                 'metrics':[{'type':'External','external':{'metric':{'name':'queue'},'target':{'type':'AverageValue',\
                'averageValue':'10'}}}%s]}}""".formatted(name, rest));
        selectors.add(new ObjectName("default", name));
    }

    private void createPod() {
        create(ResourceTypes.PODS, """
                {'metadata':{'name':'p','namespace':'default','labels':{'app':'web'}},
                 'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}""");
    }

    private void queue(String value) {
        metricsApi.serve(
                "external.metrics.k8s.io/v1beta1/namespaces/default/queue", "{'items':[{'value':'" + value + "'}]}");
    }

    private HorizontalPodAutoscaler sync(String name) {
        ObjectName key = new ObjectName("default", name);
        autoscalers.start(
                client.resource(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS)
                        .list("default", ListOptions.NONE)
                        .items(),
                new ResourceEventHandler<>() {});
        pods.start(
                client.resource(ResourceTypes.PODS)
                        .list("default", ListOptions.NONE)
                        .items(),
                new ResourceEventHandler<>() {});
        assertThat(sync.sync(key)).isTrue();
        return stored(name);
    }

    private HorizontalPodAutoscaler stored(String name) {
        return client.resource(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS).get(new ObjectName("default", name));
    }

    private int replicas() {
        return Objects.requireNonNull(client.resource(ResourceTypes.DEPLOYMENTS)
                .get(new ObjectName("default", "web"))
                .spec()
                .replicas());
    }

    private static String conditions(HorizontalPodAutoscaler autoscaler) {
        return String.join(
                " ",
                autoscaler.status().conditions().stream()
                        .map(AutoscalerSyncTest::text)
                        .sorted()
                        .toList());
    }

    private static String text(Condition condition) {
        return condition.type() + "=" + condition.status() + "/" + condition.reason();
    }

    private List<String> eventTexts() {
        return events.events().stream().map(FakeRecorder.Recorded::text).toList();
    }

    @Test
    void sync_metricsOfTheController_tellActionErrorAndDuration() {
        createDeployment("web", 2);
        createAutoscaler("web", "");
        queue("35");

        sync("web");

        assertThat(recorded)
                .containsExactly(
                        "metric_computation_total[scale_up, none, External] 1.0",
                        "metric_computation_duration_seconds[scale_up, none, External] 0.0",
                        "desired_replicas[default, web] 4.0",
                        "reconciliations_total[scale_up, none] 1.0",
                        "reconciliation_duration_seconds[scale_up, none] 0.0");
    }

    @Test
    void forget_dropsTheSeriesOfTheAutoscaler() {
        FakeMetrics metrics = new FakeMetrics();
        AutoscalerMonitor kept = new AutoscalerMonitor(metrics, clock);
        kept.desired(new ObjectName("default", "web"), 4);
        kept.desired(new ObjectName("default", "api"), 2);
        kept.forget(new ObjectName("default", "web"));
        assertThat(metrics.values())
                .containsOnlyKeys("horizontal_pod_autoscaler_controller_desired_replicas[default, api]");
    }

    @Test
    void sync_metricIsNotServed_countsAsInternalError() {
        createDeployment("web", 2);
        createAutoscaler("web", "");

        assertThatThrownBy(() -> sync("web")).hasMessageContaining("failed to compute desired number of replicas");

        assertThat(recorded)
                .contains(
                        "metric_computation_total[none, internal, External] 1.0",
                        "reconciliations_total[none, internal] 1.0");
    }

    @Test
    void sync_metricAboveItsTarget_scaleIsWritten_andTheStatusTellsWhy() {
        createDeployment("web", 2);
        createAutoscaler("web", "");
        queue("35");

        HorizontalPodAutoscaler synced = sync("web");

        assertThat(replicas()).isEqualTo(4);
        assertThat(conditions(synced))
                .isEqualTo("AbleToScale=True/SucceededRescale ScaledToZero=False/NotScaledToZero"
                        + " ScalingActive=True/ValidMetricFound ScalingLimited=False/DesiredWithinRange");
        assertThat(synced.status().currentReplicas()).isEqualTo(2);
        assertThat(synced.status().desiredReplicas()).isEqualTo(4);
        assertThat(synced.status().currentMetrics().get(0).external())
                .satisfies(external -> assertThat(
                                Objects.requireNonNull(external).current().averageValue())
                        .isEqualTo("17500m"));
        assertThat(eventTexts())
                .containsExactly(
                        "Normal SuccessfulRescale New size: 4; reason: external metric queue(nil) above target");
    }

    @Test
    void sync_nothingChanges_nothingIsWritten() {
        createDeployment("web", 3);
        createAutoscaler("web", "");
        queue("30");
        sync("web");
        sieve.writes.clear();
        clock.advance(Duration.ofSeconds(15));

        assertThat(conditions(sync("web"))).contains("AbleToScale=True/ReadyForNewScale");

        assertThat(sieve.writes).isEmpty();
    }

    @Test
    void sync_metricBelowItsTarget_theWindowHoldsTheNumber_untilItHasPassed() {
        createDeployment("web", 4);
        createAutoscaler("web", "");
        queue("1");

        assertThat(conditions(sync("web"))).contains("AbleToScale=True/ScaleDownStabilized");
        assertThat(replicas()).isEqualTo(4);

        clock.advance(Duration.ofSeconds(301));
        assertThat(conditions(sync("web"))).contains("ScalingLimited=True/TooFewReplicas");
        assertThat(replicas()).isEqualTo(2);
    }

    /** Syncs as if the stored autoscaler had this lower bound. */
    private HorizontalPodAutoscaler syncWithMinimum(int minimum) {
        HorizontalPodAutoscaler stored = stored("web");
        autoscalers.start(
                List.of(stored.withSpec(stored.spec().withMinReplicas(minimum))), new ResourceEventHandler<>() {});
        assertThat(sync.sync(new ObjectName("default", "web"))).isTrue();
        return stored("web");
    }

    @Test
    void sync_scaledToZeroByItself_isLeftWhenTheMetricRises() {
        createDeployment("web", 1);
        createAutoscaler("web", "");
        queue("0");
        assertThat(conditions(syncWithMinimum(0))).contains("ScaleDownStabilized");
        clock.advance(Duration.ofSeconds(301));

        assertThat(conditions(syncWithMinimum(0)))
                .contains("ScaledToZero=True/ScaledToZero", "AbleToScale=True/SucceededRescale");
        assertThat(replicas()).isZero();
        assertThat(eventTexts()).contains("Normal SuccessfulRescale New size: 0; reason: All metrics below target");

        assertThat(conditions(syncWithMinimum(0))).contains("ScaledToZero=True", "ScalingActive=True");
        assertThat(replicas()).isZero();

        queue("25");
        assertThat(conditions(syncWithMinimum(0))).contains("ScaledToZero=False/NotScaledToZero");
        assertThat(replicas()).isEqualTo(3);
        assertThat(eventTexts())
                .contains("Normal SuccessfulRescale New size: 3; reason: external metric queue(nil) above target");
    }

    @Test
    void sync_minimumRaisedWhileScaledToZero_isTheNewNumber() {
        createDeployment("web", 1);
        createAutoscaler("web", "");
        queue("0");
        syncWithMinimum(0);
        clock.advance(Duration.ofSeconds(301));
        syncWithMinimum(0);
        assertThat(replicas()).isZero();

        syncWithMinimum(2);

        assertThat(replicas()).isEqualTo(2);
    }

    @Test
    void sync_scaledToZeroByAnotherClient_isDisabled() {
        createDeployment("web", 0);
        createAutoscaler("web", "");
        queue("25");

        assertThat(conditions(syncWithMinimum(0)))
                .isEqualTo("AbleToScale=True/SucceededGetScale ScalingActive=False/ScalingDisabled");
        assertThat(replicas()).isZero();
    }

    @Test
    void sync_tellsTheGenerationThatItHasSeen() {
        createDeployment("web", 2);
        createAutoscaler("web", "");
        queue("20");
        HorizontalPodAutoscaler stored = stored("web");
        autoscalers.start(
                List.of(stored.withMetadata(stored.metadata().withGeneration(7))), new ResourceEventHandler<>() {});

        sync.sync(new ObjectName("default", "web"));

        assertThat(stored("web").status().observedGeneration()).isEqualTo(7);
    }

    @Test
    void sync_oneMetricHasNoValue_theOthersRaiseTheNumber_butDoNotLowerIt() {
        createDeployment("web", 4);
        createAutoscaler(
                "web",
                ",{'type':'External','external':{'metric':{'name':'lost'},'target':{'type':'AverageValue',"
                        + "'averageValue':'10'}}}");
        queue("60");

        assertThatThrownBy(() -> sync("web"))
                .hasMessageStartingWith("invalid metrics (1 invalid out of 2), first error is: ");
        assertThat(replicas()).isEqualTo(6);
        assertThat(stored("web").status().currentMetrics()).hasSize(2);

        queue("10");
        clock.advance(Duration.ofMinutes(10));
        assertThatThrownBy(() -> sync("web")).hasMessageStartingWith("failed to compute desired number of replicas");
        assertThat(replicas()).isEqualTo(6);
        assertThat(conditions(stored("web"))).contains("ScalingActive=False/FailedGetExternalMetric");
        assertThat(eventTexts())
                .contains("Warning FailedGetExternalMetric unable to get external metric default/lost/nil: unable to"
                        + " fetch metrics from external metrics API: the server could not find the requested resource"
                        + " (get lost.external.metrics.k8s.io)");
    }

    @Test
    void sync_conflictsWithOtherWriters_theScaleIsReadAndWrittenAgain_atMostFiveTimes() {
        createDeployment("web", 1);
        createAutoscaler("web", "");
        sieve.conflicts = 4;

        sync("web");

        assertThat(replicas()).isEqualTo(2);

        client.resource(ResourceTypes.DEPLOYMENTS)
                .patch(new ObjectName("default", "web"), Patch.merge("{\"spec\":{\"replicas\":11}}"));
        sieve.conflicts = 5;
        assertThatThrownBy(() -> sync("web")).hasMessage("failed to rescale Deployment/default/web: changed meanwhile");
        assertThat(conditions(stored("web"))).contains("AbleToScale=False/FailedUpdateScale");
        assertThat(eventTexts())
                .contains("Warning FailedRescale New size: 10; reason: Current number of replicas above"
                        + " Spec.MaxReplicas; error: changed meanwhile");
    }

    @Test
    void sync_statusIsRejected_isAnEvent() {
        createDeployment("web", 1);
        createAutoscaler("web", "");
        sieve.refusesStatus = true;

        assertThatThrownBy(() -> sync("web")).hasMessage("failed to update status for web: no such status");

        assertThat(eventTexts()).contains("Warning FailedUpdateStatus no such status");
    }

    @Test
    void sync_twoAutoscalersOfTheSamePods_bothAreInactive() {
        createDeployment("web", 3);
        createAutoscaler("web", "");
        createAutoscaler("other", "");
        createPod();
        queue("30");
        sync("web");

        assertThatThrownBy(() -> sync("other")).hasMessageContaining("controlled by more than one HPA");
        assertThatThrownBy(() -> sync("web")).hasMessageContaining("[default/other default/web]");

        assertThat(conditions(stored("web"))).contains("ScalingActive=False/AmbiguousSelector");
        assertThat(eventTexts())
                .contains("Warning AmbiguousSelector pods by selector app=web are controlled by more than one HPA (e.g."
                        + " [default/other default/web])");

        selectors.remove(new ObjectName("default", "other"));
        assertThat(conditions(sync("web"))).contains("ScalingActive=True/ValidMetricFound");
    }

    @Test
    void sync_autoscalerIsGone_hasNoNextSync() {
        autoscalers.start(List.of(), new ResourceEventHandler<>() {});

        assertThat(sync.sync(new ObjectName("default", "web"))).isFalse();
    }
}

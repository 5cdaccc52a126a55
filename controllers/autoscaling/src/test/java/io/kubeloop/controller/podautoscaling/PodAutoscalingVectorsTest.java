/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.autoscaling.CrossVersionObjectReference;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.autoscaling.MetricIdentifier;
import io.kubeloop.api.autoscaling.ScalingBehavior;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares numbers of pods with those of Kubernetes' own functions, recorded by {@code e2e/record-podautoscaling.sh}.
 */
class PodAutoscalingVectorsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final CrossVersionObjectReference SERVICE =
            new CrossVersionObjectReference("Service", "web", "v1", UnknownFields.NONE);
    private static final MetricIdentifier METRIC = new MetricIdentifier("m", null, UnknownFields.NONE);

    /** With it, every change of a vector stays in the history. */
    private static final ScalingBehavior.Rules LONG_PERIOD = new ScalingBehavior.Rules(
            null,
            "",
            List.of(new ScalingBehavior.Policy("Pods", 1, 100_000, UnknownFields.NONE)),
            "",
            UnknownFields.NONE);

    private static List<JsonObject> vectors(String part) throws IOException {
        try (InputStream in = PodAutoscalingVectorsTest.class.getResourceAsStream("/vectors/podautoscaling.json")) {
            return JsonObject.parse(Objects.requireNonNull(in).readAllBytes())
                    .array(part)
                    .objects()
                    .toList();
        }
    }

    private static Stream<DynamicTest> tests(String part, int atLeast, ThrowingCheck check) throws IOException {
        List<JsonObject> vectors = vectors(part);
        assertThat(vectors).hasSizeGreaterThan(atLeast);
        return vectors.stream().map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> check.accept(vector)));
    }

    private interface ThrowingCheck {
        void accept(JsonObject vector);
    }

    @TestFactory
    Stream<DynamicTest> calculations_areThoseOfUpstream() throws IOException {
        return tests("calculations", 200, PodAutoscalingVectorsTest::calculation);
    }

    @TestFactory
    Stream<DynamicTest> normalizations_areThoseOfUpstream() throws IOException {
        return tests("normalizations", 200, PodAutoscalingVectorsTest::normalization);
    }

    @TestFactory
    Stream<DynamicTest> requests_areThoseOfUpstream() throws IOException {
        return tests("requests", 30, PodAutoscalingVectorsTest::request);
    }

    private static void calculation(JsonObject vector) {
        StubMetricsApi api = new StubMetricsApi();
        serve(api, vector);
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        LaggingCache<Pod> pods = new LaggingCache<>();
        pods.start(pods(vector), new ResourceEventHandler<>() {});
        MetricsClient metrics = new MetricsClient(api, new ScaleClient(api), clock, Duration.ofSeconds(15));
        ReplicaCalculator calculator = new ReplicaCalculator(metrics, pods, PodAutoscalingConfig.DEFAULT, clock);

        String error = vector.string("error");
        if (!error.isEmpty()) {
            assertThatThrownBy(() -> count(calculator, vector)).hasMessageStartingWith(error);
            return;
        }
        assertThat(count(calculator, vector))
                .isEqualTo(new ReplicaCalculator.Count(
                        integer(vector, "replicas"), integer(vector, "utilization"), number(vector, "usage")));
    }

    private static ReplicaCalculator.Count count(ReplicaCalculator calculator, JsonObject vector) {
        ReplicaCalculator.Pods pods = new ReplicaCalculator.Pods(
                "ns", Selector.EVERYTHING, integer(vector, "specReplicas"), integer(vector, "statusReplicas"));
        Tolerances tolerances = new Tolerances(decimal(vector, "down"), decimal(vector, "up"));
        long target = number(vector, "target");
        String resource = vector.string("resource");
        String container = vector.string("container");
        return switch (vector.string("kind")) {
            case "utilization" -> calculator.utilization(pods, resource, container, (int) target, tolerances);
            case "raw" -> calculator.rawResource(pods, resource, container, target, tolerances);
            case "pods" -> calculator.podMetric(pods, "m", Selector.EVERYTHING, target, tolerances);
            case "object" -> calculator.object(pods, SERVICE, "m", Selector.EVERYTHING, target, tolerances);
            case "objectPerPod" -> calculator.objectPerPod(pods, SERVICE, "m", Selector.EVERYTHING, target, tolerances);
            case "external" -> calculator.external(pods, METRIC, target, tolerances);
            default -> calculator.externalPerPod(pods, METRIC, target, tolerances);
        };
    }

    /** Serves the values of a vector in the three APIs. The list of a stub without values has a foreign pod. */
    private static void serve(StubMetricsApi api, JsonObject vector) {
        List<String> resources = new ArrayList<>();
        List<String> customs = new ArrayList<>();
        List<JsonObject> pods = vector.array("pods").objects().toList();
        for (int i = 0; i < pods.size(); i++) {
            JsonObject pod = pods.get(i);
            String usage = pod.string("usage");
            if (!usage.isEmpty()) {
                Instant time = ago(pod, "measured");
                long window = number(pod, "window");
                resources.add("""
                        {'metadata':{'name':'p%d'},'timestamp':'%s','window':'%ds','containers':[{'name':'app',\
                        'usage':{'%s':'%s'}}]}""".formatted(i, time, window, vector.string("resource"), usage));
                customs.add("{'describedObject':{'name':'p%d'},'timestamp':'%s','windowSeconds':%d,'value':'%s'}"
                        .formatted(i, time, window, usage));
            }
        }
        // Upstream's client refuses an empty list before the calculation that the vector is of.
        resources.add("{'metadata':{'name':'other'},'containers':[]}");
        if (customs.isEmpty()) {
            customs.add("{'describedObject':{'name':'other'},'value':'1'}");
        }
        api.serve("metrics.k8s.io/v1beta1/namespaces/ns/pods", list(resources));
        api.serve("custom.metrics.k8s.io/v1beta2/namespaces/ns/pods/*/m", list(customs));
        List<String> values = vector.array("values")
                .strings()
                .map(value -> "{'value':'" + value + "'}")
                .toList();
        if (!values.isEmpty()) {
            api.serve("custom.metrics.k8s.io/v1beta2/namespaces/ns/services/web/m", list(values.subList(0, 1)));
            api.serve("external.metrics.k8s.io/v1beta1/namespaces/ns/m", list(values));
        }
    }

    private static String list(List<String> items) {
        return "{'items':[" + String.join(",", items) + "]}";
    }

    private static List<Pod> pods(JsonObject vector) {
        List<JsonObject> words = vector.array("pods").objects().toList();
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            JsonObject word = words.get(i);
            JsonObject metadata = JsonObject.EMPTY.with("name", "p" + i).with("namespace", "ns");
            JsonObject status = JsonObject.EMPTY.with("phase", word.string("phase"));
            if (word.bool("deleting")) {
                metadata = metadata.with("deletionTimestamp", NOW.toString());
            }
            if (number(word, "started") >= 0) {
                status = status.with("startTime", ago(word, "started").toString());
            }
            if (!word.string("ready").isEmpty()) {
                JsonObject condition = JsonObject.EMPTY.with("type", "Ready").with("status", word.string("ready"));
                if (number(word, "transition") >= 0) {
                    condition = condition.with(
                            "lastTransitionTime", ago(word, "transition").toString());
                }
                status = status.with("conditions", JsonArray.of(List.of(condition)));
            }
            JsonObject container = JsonObject.EMPTY
                    .with("name", "app")
                    .with("resources", JsonObject.of("requests", word.object("requests")));
            pods.add(pod(JsonObject.of(Map.of(
                    "metadata",
                    metadata,
                    "spec",
                    JsonObject.of("containers", JsonArray.of(List.of(container))),
                    "status",
                    status))));
        }
        return pods;
    }

    private static Pod pod(JsonObject document) {
        return JsonCodec.standard().decode(ResourceTypes.PODS, new ByteArrayInputStream(document.toBytes()));
    }

    private static void normalization(JsonObject vector) {
        JsonObject document = JsonObject.of("spec", JsonObject.of("behavior", vector.object("behavior")));
        HorizontalPodAutoscaler autoscaler = JsonCodec.standard()
                .decode(
                        ResourceTypes.HORIZONTAL_POD_AUTOSCALERS,
                        new ByteArrayInputStream(document.toString().getBytes(StandardCharsets.UTF_8)));
        boolean hasBehavior = !vector.object("behavior").isEmpty();
        ScalingHistory history = new ScalingHistory();
        entries(vector, "recommendations")
                .forEach(entry -> history.recommend(integer(entry, "replicas"), entryTime(entry)));
        entries(vector, "increases")
                .forEach(entry -> history.changed(0, integer(entry, "replicas"), LONG_PERIOD, entryTime(entry)));
        entries(vector, "decreases")
                .forEach(entry -> history.changed(integer(entry, "replicas"), 0, LONG_PERIOD, entryTime(entry)));
        ReplicaLimits limits = new ReplicaLimits(
                hasBehavior ? autoscaler.spec().behavior() : null,
                integer(vector, "min"),
                integer(vector, "max"),
                Duration.ofSeconds(number(vector, "window")));

        ReplicaLimits.Allowed allowed =
                limits.apply(integer(vector, "current"), integer(vector, "desired"), history, NOW);

        assertThat(allowed.replicas()).isEqualTo(integer(vector, "replicas"));
        assertThat(List.of(
                        condition("AbleToScale", true, allowed.ableToScale()),
                        condition("ScalingLimited", allowed.isLimited(), allowed.limited())))
                .isEqualTo(vector.array("conditions").objects().toList());
    }

    private static JsonObject condition(String type, boolean isTrue, ReplicaLimits.Note note) {
        return JsonObject.EMPTY
                .with("message", note.message())
                .with("reason", note.reason())
                .with("status", isTrue ? "True" : "False")
                .with("type", type);
    }

    private static Stream<JsonObject> entries(JsonObject vector, String name) {
        return vector.array(name).objects();
    }

    private static Instant entryTime(JsonObject entry) {
        return NOW.minusMillis((long) (decimal(entry, "ago") * 1000));
    }

    private static void request(JsonObject vector) {
        Pod pod = pod(vector.object("pod"));
        String container = vector.string("container");
        String resource = vector.string("resource");
        String error = vector.string("error");
        if (error.isEmpty()) {
            assertThat(PodRequests.of(List.of(pod), container, resource)).containsEntry("p", number(vector, "request"));
        } else {
            assertThatThrownBy(() -> PodRequests.of(List.of(pod), container, resource))
                    .hasMessage(error);
        }
    }

    private static Instant ago(JsonObject object, String member) {
        return NOW.minusSeconds(number(object, member));
    }

    private static double decimal(JsonObject object, String member) {
        JsonNumber number = (JsonNumber) Objects.requireNonNull(object.get(member), member);
        return Quantity.parse(number.text()).amount().doubleValue();
    }

    private static long number(JsonObject object, String member) {
        return Objects.requireNonNull(object.number(member), member);
    }

    private static int integer(JsonObject object, String member) {
        return (int) number(object, member);
    }
}

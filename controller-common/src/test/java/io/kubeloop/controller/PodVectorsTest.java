/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.pods.ActivePodsWithRanks;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.Vectors;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Predicates and ranking of pods. */
class PodVectorsTest {

    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    @TestFactory
    Stream<DynamicTest> availability() {
        return Vectors.tests(getClass(), "pod-availability", vector -> {
            Pod pod = pod(vector.input().get("pod"));
            int minReadySeconds = ((BigDecimal) vector.input().get("minReadySeconds")).intValueExact();
            Instant now = Instant.parse((String) vector.input().get("now"));
            assertThat(Map.<String, Object>of(
                            "active", Pods.isPodActive(pod),
                            "ready", Pods.isPodReady(pod),
                            "available", Pods.isPodAvailable(pod, minReadySeconds, now)))
                    .isEqualTo(vector.expected());
        });
    }

    @TestFactory
    Stream<DynamicTest> deletionOrder() {
        return Vectors.tests(getClass(), "pod-deletion-order", vector -> {
            List<Pod> pods = pods(vector.input().get("pods"));
            List<Pod> related = pods(vector.input().get("relatedPods"));
            int diff = ((BigDecimal) vector.input().get("diff")).intValueExact();
            Map<String, Long> onNode = related.stream()
                    .filter(Pods::isPodActive)
                    .collect(Collectors.groupingBy(pod -> pod.spec().nodeName(), Collectors.counting()));
            List<Pod> ordered = diff < pods.size()
                    ? ActivePodsWithRanks.inDeletionOrder(
                            pods,
                            pod -> onNode.getOrDefault(pod.spec().nodeName(), 0L)
                                    .intValue(),
                            Instant.parse((String) vector.input().get("now")))
                    : pods;
            assertThat(names(ordered)).isEqualTo(vector.expected().get("order"));
            assertThat(names(ordered.subList(0, diff)))
                    .isEqualTo(vector.expected().get("delete"));
        });
    }

    @Test
    void inDeletionOrder_deletionCost_lowerGoesFirstAndMalformedIsZero() {
        List<Pod> pods = List.of(
                withCost("ten", "10"), withCost("bad", "+5"), withCost("minus", "-1"), withCost("huge", "9999999999"));
        assertThat(names(ActivePodsWithRanks.inDeletionOrder(pods, pod -> 0, NOW)))
                .as("KEP-2255; ties keep their order")
                .isEqualTo(List.of("minus", "bad", "huge", "ten"));
        assertThat(names(ActivePodsWithRanks.inDeletionOrder(pods)))
                .as("jobs ignore the cost")
                .isEqualTo(List.of("ten", "bad", "minus", "huge"));
    }

    @Test
    void inDeletionOrder_sameRestartsOfContainers_thoseOfSidecarsDecide() {
        List<Pod> pods = List.of(
                withRestarts("quiet", 1, 0, 0),
                withRestarts("sidecar", 1, 2, 0),
                withRestarts("sidecarMore", 1, 3, 0),
                withRestarts("init", 1, 0, 9),
                withRestarts("container", 2, 0, 0));
        assertThat(names(ActivePodsWithRanks.inDeletionOrder(pods, pod -> 0, NOW)))
                .as("upstream's compareMaxContainerRestarts; a plain init container never counts")
                .isEqualTo(List.of("container", "sidecarMore", "sidecar", "quiet", "init"));
    }

    @Test
    void inDeletionOrder_magnitudesOfAges_uidDecidesWithinOne() {
        List<Pod> pods = List.of(
                readyFor("old", "a", 1000, 0),
                readyFor("newer", "b", 700, 0),
                readyFor("newest", "a", 10, 0),
                readyFor("future", "d", -5, 0),
                readyFor("ancient", "a", 400L * 365 * 24 * 3600, 0));
        assertThat(names(ActivePodsWithRanks.inDeletionOrder(pods, pod -> 0, NOW)))
                .as("KEP-2185: 1000 s and 700 s are of one power of two in nanoseconds")
                .isEqualTo(List.of("future", "newest", "old", "newer", "ancient"));
        Instant later = NOW.plusSeconds(200);
        assertThat(names(ActivePodsWithRanks.inDeletionOrder(pods.subList(0, 2), pod -> 0, later)))
                .as("1200 s and 900 s are not, so the UID is not asked")
                .isEqualTo(List.of("newer", "old"));
    }

    @Test
    void inDeletionOrder_magnitudesOfAges_anOrderThatGoesRoundInCirclesIsNoError() {
        List<Pod> pods = IntStream.range(0, 1000)
                .mapToObj(i -> readyFor("p" + i, "" + i * 7919 % 1000, 700 + i % 3, i * 31 % 7))
                .toList();
        assertThat(ActivePodsWithRanks.inDeletionOrder(pods, pod -> 0, NOW))
                .as("restarts decide between pods of one second, UIDs between those of different ones")
                .containsExactlyInAnyOrderElementsOf(pods);
    }

    private static Pod readyFor(String name, String uid, long seconds, int restarts) {
        String json = """
                {"metadata":{"name":"%s","uid":"%s"},
                 "status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"%s"}],
                           "containerStatuses":[{"name":"app","restartCount":%d}]}\
                }""".formatted(name, uid, NOW.minusSeconds(seconds), restarts);
        return pod(Json.parse(json));
    }

    private static Pod withRestarts(String name, int container, int sidecar, int init) {
        String json = """
                {"metadata":{"name":"%s"},
                 "spec":{"initContainers":[{"name":"setUp"},{"name":"proxy","restartPolicy":"Always"}],
                         "containers":[{"name":"app"}]},
                 "status":{"initContainerStatuses":[{"name":"setUp","restartCount":%d},{"name":"proxy",\
                "restartCount":%d}],
                           "containerStatuses":[{"name":"app","restartCount":%d}]}\
                }""".formatted(name, init, sidecar, container);
        return JsonCodec.standard()
                .decode(ResourceTypes.PODS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static Pod withCost(String name, String cost) {
        return Pod.of(
                ObjectMetaBuilder.builder()
                        .name(name)
                        .annotations(Map.of(ActivePodsWithRanks.POD_DELETION_COST, cost))
                        .build(),
                PodSpec.EMPTY,
                PodStatus.EMPTY);
    }

    private static Object names(List<Pod> pods) {
        Function<Pod, String> name = pod -> pod.metadata().name();
        return pods.stream().map(name).toList();
    }

    private static List<Pod> pods(Object json) {
        return ((List<?>) json).stream().map(PodVectorsTest::pod).toList();
    }

    private static Pod pod(Object json) {
        byte[] bytes = Json.write(json).getBytes(StandardCharsets.UTF_8);
        return JsonCodec.standard().decode(ResourceTypes.PODS, new ByteArrayInputStream(bytes));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetSpecBuilder;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares nodes, pods and limits with those of Kubernetes' own functions, recorded by {@code e2e/record-sets.sh}. */
class DaemonVectorsTest {

    private static final JsonCodec CODEC = JsonCodec.standard();

    @TestFactory
    Stream<DynamicTest> nodes_fitAsUpstream() throws IOException {
        return vectors("node-eligibility", 300)
                .map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> {
                    NodeEligibility eligibility = NodeEligibility.of(set(vector.object("template"), "{}"));
                    Node node = CODEC.decode(
                            ResourceTypes.NODES, bytes(vector.object("node").toString()));
                    assertThat(eligibility.shouldRun(node)).isEqualTo(vector.bool("shouldRun"));
                    assertThat(eligibility.shouldContinueRunning(node)).isEqualTo(vector.bool("shouldContinueRunning"));
                }));
    }

    @TestFactory
    Stream<DynamicTest> pods_areThoseOfUpstream() throws IOException {
        return vectors("daemon-pods", 100)
                .map(vector -> DynamicTest.dynamicTest(vector.string("hash"), () -> {
                    String generation = vector.object("pod").string("metadata", "labels", "pod-template-generation");
                    DaemonSet set = set(
                            vector.object("template"),
                            "{\"deprecated.daemonset.template.generation\":\"" + generation + "\"}");
                    var template = DaemonPods.onNode(DaemonPods.template(set, vector.string("hash")), "n1");
                    assertThat(json(set, template)).isEqualTo(vector.object("pod"));

                    Pod pod = Pod.of(ObjectMeta.EMPTY, set.spec().template().spec(), PodStatus.EMPTY);
                    assertThat(Objects.requireNonNullElse(DaemonPods.node(pod), ""))
                            .isEqualTo(vector.string("targetNode"));
                }));
    }

    private static JsonObject json(DaemonSet set, PodTemplateSpec template) {
        DaemonSet carrier = set.withSpec(
                DaemonSetSpecBuilder.builder(set.spec()).template(template).build());
        return JsonObject.parse(CODEC.encode(ResourceTypes.DAEMON_SETS, carrier))
                .object("spec", "template");
    }

    @TestFactory
    Stream<DynamicTest> limits_areThoseOfUpstream() throws IOException {
        return vectors("rollout-limits", 50)
                .map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> {
                    String json = """
                            {"spec":{"updateStrategy":{"type":"%s",\
                            "rollingUpdate":{"maxSurge":%s,"maxUnavailable":%s}}}}""".formatted(
                                    vector.string("type"),
                                    limit(vector.string("maxSurge")),
                                    limit(vector.string("maxUnavailable")));
                    DaemonSet set = CODEC.decode(ResourceTypes.DAEMON_SETS, bytes(json));
                    int nodes = Objects.requireNonNull(vector.number("nodes")).intValue();
                    assertThat(RolloutNumbers.of(set, nodes))
                            .isEqualTo(new RolloutNumbers(
                                    Objects.requireNonNull(vector.number("surge"))
                                            .intValue(),
                                    Objects.requireNonNull(vector.number("unavailable"))
                                            .intValue()));
                    assertThat(RolloutNumbers.allowsSurge(set)).isEqualTo(vector.bool("allowsSurge"));
                }));
    }

    private static String limit(String text) {
        return text.endsWith("%") ? "\"" + text + "\"" : text;
    }

    @Test
    void bothLimitsZero_oneNodeMayBeUnavailable() {
        assertThat(new RolloutNumbers(0, 0).orOneUnavailable(3)).isEqualTo(new RolloutNumbers(0, 1));
        assertThat(new RolloutNumbers(0, 0).orOneUnavailable(0)).isEqualTo(new RolloutNumbers(0, 0));
        assertThat(new RolloutNumbers(1, 0).orOneUnavailable(3)).isEqualTo(new RolloutNumbers(1, 0));
    }

    @Test
    void backoff_doublesUpToAQuarterOfAnHour_andForgets() {
        ManualClock clock = new ManualClock(Instant.EPOCH);
        FailedPodBackoff backoff = new FailedPodBackoff(clock);
        for (long seconds = 1; seconds < 2000; seconds *= 2) {
            Duration delay = Duration.ofSeconds(Math.min(seconds, 900));
            assertThat(backoff.tryBegin("key")).isZero();
            clock.advance(delay.minusMillis(1));
            assertThat(backoff.tryBegin("key")).isEqualTo(delay);
            assertThat(backoff.tryBegin("other " + seconds)).isZero();
            clock.advance(Duration.ofMillis(1));
        }
        clock.advance(Duration.ofMinutes(31));
        assertThat(backoff.tryBegin("key")).isZero();
        assertThat(backoff.tryBegin("key")).isEqualTo(Duration.ofSeconds(1));
    }

    private static DaemonSet set(JsonObject template, String annotations) {
        String json = "{\"metadata\":{\"name\":\"agent\",\"annotations\":" + annotations + "},\"spec\":{\"template\":"
                + template + "}}";
        return CODEC.decode(ResourceTypes.DAEMON_SETS, bytes(json));
    }

    private static ByteArrayInputStream bytes(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Stream<JsonObject> vectors(String name, int least) throws IOException {
        try (InputStream in = DaemonVectorsTest.class.getResourceAsStream("/vectors/" + name + ".json")) {
            String list = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            List<JsonObject> vectors = JsonObject.parse("{\"list\":" + list + "}")
                    .array("list")
                    .objects()
                    .toList();
            assertThat(vectors).hasSizeGreaterThan(least);
            return vectors.stream();
        }
    }
}

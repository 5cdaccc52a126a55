/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentSpecBuilder;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.DeploymentStrategy;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.apps.RollingUpdateDeployment;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares numbers with those of Kubernetes' own functions, recorded by {@code e2e/record-rollout.sh}. */
class RolloutArithmeticTest {

    @TestFactory
    Stream<DynamicTest> numbers_areThoseOfUpstream() throws IOException {
        List<JsonObject> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThan(100);
        return vectors.stream().map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> check(vector)));
    }

    private static List<JsonObject> vectors() throws IOException {
        try (InputStream in = RolloutArithmeticTest.class.getResourceAsStream("/vectors/rollout-arithmetic.json")) {
            String list = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return JsonObject.parse(("{\"list\":" + list + "}").getBytes(StandardCharsets.UTF_8))
                    .array("list")
                    .objects()
                    .toList();
        }
    }

    private static void check(JsonObject vector) {
        Deployment deployment = deployment(vector);
        ReplicaSet newSet = set("new", vector.object("new"));
        List<ReplicaSet> oldSets =
                vector.array("old").objects().map(old -> set("old", old)).toList();
        Rollout rollout = new Rollout(deployment, newSet, oldSets);

        assertThat(rollout.limits())
                .isEqualTo(new RolloutLimits(number(vector, "surge"), number(vector, "unavailable")));
        assertThat(RollingUpdate.grown(rollout, Rollout.replicas(newSet))).isEqualTo(number(vector, "grown"));
        assertThat(ProportionalScaling.proportion(newSet, deployment, number(vector, "toAdd"), number(vector, "added")))
                .isEqualTo(number(vector, "proportion"));
    }

    private static Deployment deployment(JsonObject vector) {
        RollingUpdateDeployment limits = new RollingUpdateDeployment(
                IntOrString.parse(vector.string("maxUnavailable")),
                IntOrString.parse(vector.string("maxSurge")),
                UnknownFields.NONE);
        return Deployment.of(
                ObjectMetaBuilder.builder().name("d").build(),
                DeploymentSpecBuilder.builder()
                        .replicas(number(vector, "replicas"))
                        .strategy(new DeploymentStrategy(DeploymentStrategy.ROLLING_UPDATE, limits, UnknownFields.NONE))
                        .build(),
                DeploymentStatusBuilder.builder()
                        .replicas(number(vector, "statusReplicas"))
                        .build());
    }

    private static ReplicaSet set(String name, JsonObject set) {
        int max = number(set, "max");
        return ReplicaSet.of(
                ObjectMetaBuilder.builder()
                        .name(name)
                        .annotations(max == 0 ? Map.of() : Map.of(Revisions.MAX, Integer.toString(max)))
                        .build(),
                ReplicaSetSpecBuilder.builder()
                        .replicas(number(set, "replicas"))
                        .build(),
                ReplicaSetStatus.EMPTY);
    }

    private static int number(JsonObject object, String field) {
        return Objects.requireNonNull(object.number(field)).intValue();
    }
}

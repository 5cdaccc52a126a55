/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ConditionBuilder;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.apps.ReplicaSetStatusBuilder;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rate of status writes. */
class StatusWriterTest {

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final FakeTransport server = new FakeTransport();
    private final StatusWriter<ReplicaSet> writer = writer(INTERVAL);

    private StatusWriter<ReplicaSet> writer(Duration interval) {
        return new StatusWriter<>(
                new ReplicaSetKind(),
                new WriteBarrier(clock, key -> {})
                        .owners(
                                ResourceTypes.REPLICA_SETS,
                                KubeClient.of(server, JsonCodec.standard()),
                                new FakeLister<>()),
                interval,
                clock);
    }

    /** An owner with three wanted pods, and its last written status. */
    private static ReplicaView<ReplicaSet> owner(long generation, ReplicaSetStatus told) {
        ReplicaSet object = ReplicaSet.of(
                ObjectMetaBuilder.builder()
                        .namespace("shop")
                        .name("web")
                        .generation(generation)
                        .build(),
                ReplicaSetSpecBuilder.builder().replicas(3).build(),
                told);
        return new ReplicaView<>(object, 3, 0, null, PodTemplateSpec.EMPTY, told);
    }

    private static ReplicaSetStatus status(int replicas, int ready, int available, Condition... conditions) {
        return ReplicaSetStatusBuilder.builder()
                .replicas(replicas)
                .readyReplicas(ready)
                .availableReplicas(available)
                .observedGeneration(1)
                .conditions(List.of(conditions))
                .build();
    }

    private static final ReplicaSetStatus TOLD = status(3, 0, 0);

    private static final Condition FAILURE =
            ConditionBuilder.builder().type("ReplicaFailure").status("True").build();

    private Duration hold(ReplicaSetStatus status) {
        return writer.writeInTime(owner(1, TOLD), status);
    }

    /** Writes a first status, which begins an interval. */
    private void written() {
        assertThat(hold(status(2, 0, 0))).isZero();
    }

    @Test
    void hold_first_isNone() {
        assertThat(hold(status(3, 1, 1))).isZero();
    }

    @Test
    void hold_soonAfterAWrite_isTheRestOfTheInterval() {
        written();
        assertThat(hold(status(3, 1, 1))).isEqualTo(INTERVAL);
        clock.advance(Duration.ofMillis(30));
        assertThat(hold(status(3, 2, 2))).isEqualTo(Duration.ofMillis(70));
        clock.advance(Duration.ofMillis(70));
        assertThat(hold(status(3, 2, 2))).isZero();
    }

    @Test
    void hold_whenEverythingHasArrived_isNone() {
        written();
        assertThat(hold(status(3, 3, 2))).isEqualTo(INTERVAL);
        assertThat(hold(status(3, 3, 3))).isZero();
    }

    @Test
    void hold_newGenerationOrCondition_isNone() {
        written();
        assertThat(writer.writeInTime(owner(2, TOLD), status(2, 0, 0))).isZero();
        assertThat(hold(status(2, 0, 0, FAILURE))).isZero();
    }

    /** One that is left for later is one more sync, thus one more creation that is refused. */
    @Test
    void hold_whilePodsCannotBeMade_isNone() {
        ReplicaView<ReplicaSet> failing = owner(1, status(2, 0, 0, FAILURE));
        written();
        assertThat(writer.writeInTime(failing, status(2, 1, 1, FAILURE))).isZero();
    }

    @Test
    void hold_afterForget_isNone() {
        written();
        writer.forget(owner(1, TOLD).key());
        assertThat(hold(status(3, 1, 1))).isZero();
    }

    @Test
    void hold_withoutInterval_isNone() {
        StatusWriter<ReplicaSet> upstream = writer(Duration.ZERO);
        assertThat(upstream.writeInTime(owner(1, TOLD), status(2, 0, 0))).isZero();
        assertThat(upstream.writeInTime(owner(1, TOLD), status(3, 1, 1))).isZero();
        assertThat(server.actions("update", "replicasets")).hasSize(2);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.simulation.state.EndState;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What correct operators do, and trials must not accuse them of. */
class FalseAlarmsTest {

    private static final ObjectName LOCK = new ObjectName("default", "cards-leader");

    private static Simulation simulation(TestOperator.Sync sync, Workload workload) {
        return Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(workload);
    }

    /** In an hour, it reads 240 times, and in the reference a few times. */
    @Test
    void operatorThatLooksAroundEvery15Seconds_mayBeLeftAloneForAnHour() {
        simulation(
                        (op, key, card) -> {
                            if (card != null) {
                                op.client().resource(Card.CARDS).get(key);
                                op.client().resource(Card.CARDS).get(key);
                                op.status(card, 1, "Done");
                                op.queue().addAfter(key, Duration.ofSeconds(15));
                            }
                        },
                        Workloads.CREATE)
                .perturbations(Set.of(Perturbation.TIME))
                .run()
                .assertClean();
    }

    /** kubectl waits for the end of what it deletes, so the next step does not meet the old object. */
    @Test
    void deletionThatTakesMinutes_endsBeforeTheNextStep() {
        SimulationReport report = simulation(
                        (op, key, card) -> {
                            if (card != null && !card.metadata().isDeleting()) {
                                op.guard(card);
                            } else if (card != null && !card.status().phase().equals("Ending")) {
                                op.status(card, 0, "Ending");
                                op.queue().addAfter(key, Duration.ofSeconds(40));
                            } else if (card != null) {
                                op.queue().addAfter(key, Duration.ofSeconds(40));
                                release(op, card);
                            }
                        },
                        Workload.builder()
                                .apply("a card", Card.manifest("birthday", "hello", 1))
                                .delete("example.com/v1", "Card", "default", "birthday")
                                .apply("the card again", Card.manifest("birthday", "bye", 1))
                                .build())
                .perturbations(Set.of(Perturbation.CRASH))
                .run();
        report.assertClean();
        assertThat(report.unstable()).isEmpty();
    }

    private static void release(TestOperator op, Card card) {
        Time deleted = Objects.requireNonNull(card.metadata().deletionTimestamp());
        if (op.clock().instant().isAfter(deleted.instant().plusSeconds(30))) {
            op.release(card);
        }
    }

    /** Each instance writes the time of its last renewal, and its own name, at each sync. */
    @Test
    void lockInAConfigMap_isNoWrite() {
        AtomicInteger renewals = new AtomicInteger();
        SimulationReport report = simulation(
                        (op, key, card) -> {
                            if (card != null) {
                                renew(op, renewals.incrementAndGet());
                                op.status(card, 1, "Done");
                            }
                        },
                        Workloads.CREATE)
                .perturbations(Set.of(Perturbation.CRASH))
                .run();
        report.assertClean();
        assertThat(report.trials().get(Perturbation.CRASH)).isEqualTo(3);
    }

    private static void renew(TestOperator op, int number) {
        ObjectMeta metadata = ObjectMetaBuilder.builder(ObjectMeta.named(LOCK.namespace(), LOCK.name()))
                .annotations(Map.of(EndState.LEADER, "{\"renewals\":" + number + "}"))
                .build();
        ConfigMap lock = new ConfigMap(metadata, Map.of(), null, null);
        try {
            op.client().resource(ResourceTypes.CONFIG_MAPS).create(lock);
        } catch (ApiException e) {
            assertThat(e.isAlreadyExists()).isTrue();
            op.client().resource(ResourceTypes.CONFIG_MAPS).update(lock);
        }
    }
}

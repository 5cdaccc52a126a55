/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.Simulation;
import io.kubeloop.simulation.Subject;
import io.kubeloop.simulation.Workload;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class SimulationTestsTest {

    /** Copies the config map of the workload. The faulty one does not try again. */
    private static Controller copier(ControllerContext context, boolean isFaulty) {
        SharedInformer<ConfigMap> maps = context.informers().informer(ResourceTypes.CONFIG_MAPS);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("copies"));
        AtomicBoolean isDone = new AtomicBoolean();
        return new ControllerLoop<>(
                "copies",
                queue,
                key -> {
                    ObjectName copy = new ObjectName(key.namespace(), key.name() + "-copy");
                    boolean isMissing = key.name().equals("original")
                            && maps.lister().get(key) != null
                            && maps.lister().get(copy) == null;
                    if (isMissing && !(isFaulty && isDone.getAndSet(true))) {
                        context.clients()
                                .apply("copies")
                                .resource(ResourceTypes.CONFIG_MAPS)
                                .create(new ConfigMap(
                                        ObjectMeta.named(copy.namespace(), copy.name()), Map.of(), null, null));
                    }
                },
                List.of(maps.addHandler(ResourceEventHandler.forKeys(queue::add))),
                context.threads());
    }

    private static Simulation simulation(boolean isFaulty) {
        return Simulation.of(Subject.controller(JsonCodec.standard(), context -> copier(context, isFaulty)))
                .workload(Workload.builder()
                        .apply("a map", "{apiVersion: v1, kind: ConfigMap, metadata: {name: original}}")
                        .build())
                .cluster(builder -> builder.controllers(List.of()))
                .perturbations(Set.of(Perturbation.CRASH, Perturbation.ANSWERS));
    }

    static class Correct {

        @TestFactory
        Stream<DynamicTest> trials() {
            return SimulationTests.of(simulation(false));
        }
    }

    static class Faulty {

        @TestFactory
        Stream<DynamicTest> trials() {
            return SimulationTests.of(simulation(true));
        }
    }

    static class OneTrial {

        @TestFactory
        Stream<DynamicTest> trials() {
            return SimulationTests.of(simulation(true).only("crash-after: create configmaps default/original-copy"));
        }
    }

    static class OutOfTime {

        @TestFactory
        Stream<DynamicTest> trials() {
            return SimulationTests.of(simulation(false).budget(Duration.ZERO));
        }
    }

    @Test
    void budgetThatRunsOut_isAFailedTest() {
        EngineExecutionResults results = run(OutOfTime.class);
        results.testEvents()
                .assertStatistics(statistics -> statistics.succeeded(0).failed(1));
        assertThat(results.testEvents().failed().stream()
                        .map(event -> String.valueOf(event.getRequiredPayload(TestExecutionResult.class)
                                .getThrowable()
                                .orElseThrow()
                                .getMessage())))
                .singleElement(STRING)
                .contains("the budget is 0 s: allow more time");
    }

    private static EngineExecutionResults run(Class<?> type) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .execute();
    }

    @Test
    void eachTrial_isATest() {
        EngineExecutionResults results = run(Correct.class);
        results.testEvents().assertStatistics(statistics -> statistics.failed(0));
        assertThat(results.testEvents().succeeded().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .startsWith("reference")
                .contains(
                        "crash-before: create configmaps default/original-copy",
                        "server-error: create configmaps default/original-copy");
    }

    @Test
    void failedTrial_isAFailedTestWithItsStory() {
        EngineExecutionResults results = run(Faulty.class);
        assertThat(results.testEvents().failed().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .contains("server-error: create configmaps default/original-copy");
        assertThat(results.testEvents().failed().stream()
                        .map(event -> String.valueOf(event.getRequiredPayload(TestExecutionResult.class)
                                .getThrowable()
                                .orElseThrow()
                                .getMessage())))
                .anyMatch(message -> message.contains(
                                "The operator was answered with 500 to `create configmaps default/original-copy`")
                        && message.contains("-Dkubeloop.trial='server-error: create"));
    }

    @Test
    void selectedTrial_runsAlone() {
        assertThat(run(OneTrial.class).testEvents().finished().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .containsExactly("reference", "crash-after: create configmaps default/original-copy");
    }
}

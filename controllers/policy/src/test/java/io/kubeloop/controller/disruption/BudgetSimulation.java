/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.policy.PodDisruptionBudget;
import io.kubeloop.api.policy.PodDisruptionBudgetStatus;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A budget and the pods of a ReplicaSet in a world that goes wrong; see {@link WorkloadSimulation}. Drains evict pods,
 * also while the controller writes the status.
 *
 * <p>In half of the runs only evictions take pods away, so each allowed one must leave enough healthy pods. In the
 * others pods fail too, and people change the budget; then only the end is checked.
 */
final class BudgetSimulation extends WorkloadSimulation<PodDisruptionBudget> {

    private static final ObjectName KEY = new ObjectName("default", "web");
    private static final int REPLICAS = 6;
    private static final List<String> LIMITS = List.of(
            "\"minAvailable\":3", "\"minAvailable\":\"50%\"", "\"maxUnavailable\":2", "\"maxUnavailable\":\"30%\"");

    private final boolean isCalm;
    private final int limit;
    private final ReplicaSet owner;
    private int replicas = REPLICAS;
    private int made;

    BudgetSimulation(long seed) {
        super(seed, ResourceTypes.POD_DISRUPTION_BUDGETS, KEY);
        isCalm = random.nextBoolean();
        limit = random.nextInt(LIMITS.size());
        owner = create(ResourceTypes.REPLICA_SETS, """
                {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"default"},
                 "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},
                         "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}\
                ]}}}}""".formatted(REPLICAS));
        create();
        lead();
        makePods();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<PodDisruptionBudget> budgets = new LaggingCache<>();
        LaggingCache<Pod> cachedPods = new LaggingCache<>();
        LaggingCache<ReplicationController> replicationControllers = new LaggingCache<>();
        LaggingCache<ReplicaSet> sets = new LaggingCache<>();
        LaggingCache<Deployment> deployments = new LaggingCache<>();
        LaggingCache<StatefulSet> statefulSets = new LaggingCache<>();
        DisruptionCaches caches =
                new DisruptionCaches(budgets, cachedPods, replicationControllers, sets, deployments, statefulSets);
        FakeRecorder events = new FakeRecorder();
        BudgetSync sync = new BudgetSync(
                caches,
                new ExpectedPods(caches, new ScaleClient(process.client().transport())),
                process.client().resource(ResourceTypes.POD_DISRUPTION_BUDGETS),
                events,
                process.queue,
                clock);
        StaleDisruptions stale = new StaleDisruptions(
                cachedPods, process.client().resource(ResourceTypes.PODS), new SimulatedQueue<>(clock), clock);
        process.owners(ResourceTypes.POD_DISRUPTION_BUDGETS, budgets);
        process.cache(
                ResourceTypes.PODS,
                cachedPods,
                new DisruptionController.PodHandler(budgets, events, process.queue, stale));
        process.cache(ResourceTypes.REPLICA_SETS, sets, new ResourceEventHandler<>() {});
        return sync::sync;
    }

    @Override
    protected void create() {
        create(ResourceTypes.POD_DISRUPTION_BUDGETS, """
                {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web","namespace":"default"},
                 "spec":{"selector":{"matchLabels":{"app":"web"}},%s}}""".formatted(LIMITS.get(limit)));
    }

    private void makePods() {
        for (int i = live().size(); i < replicas; i++) {
            create(ResourceTypes.PODS, """
                    {"metadata":{"name":"web-%d","namespace":"default","labels":{"app":"web"},
                      "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"%s",\
                    "controller":true}]},
                     "spec":{"containers":[{"name":"c","image":"i"}]}}""".formatted(made++, owner.metadata().uid()));
        }
        worldChanged();
    }

    @Override
    protected void somebodyActs() {
        switch (random.nextInt(isCalm ? 5 : 8)) {
            case 0, 1 -> makePods();
            case 2, 3, 4 -> drain();
            case 5 -> {
                replicas = random.nextInt(REPLICAS + 2);
                note("scale to " + replicas);
                client.resource(ResourceTypes.REPLICA_SETS)
                        .patch(owner.objectName(), Patch.merge("{\"spec\":{\"replicas\":" + replicas + "}}"));
            }
            default -> somebodyHarmsAPod();
        }
    }

    /** An eviction counts for two minutes, and a cache lags less than that. */
    @Override
    protected void pass(Duration duration) {
        leader.relistAll();
        while (leader.deliverAll()) {
            // All that is known is delivered.
        }
        super.pass(duration);
    }

    @Override
    protected void race() {
        drain();
    }

    @Override
    protected void replace() {
        if (!isCalm) {
            super.replace(); // the record of evicted pods goes with the budget
        }
    }

    @Override
    protected void collectGarbage() {
        // The pods are not the budget's.
    }

    /** Evicts some pods, one after the other. */
    private void drain() {
        for (int i = random.nextInt(4); i > 0; i--) {
            List<Pod> pods = live();
            if (!pods.isEmpty()) {
                evict(pods.get(random.nextInt(pods.size())));
            }
        }
        worldChanged();
    }

    private void evict(Pod pod) {
        String body = "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\""
                + pod.metadata().name() + "\",\"namespace\":\"default\"}}";
        int code = server.transport()
                .execute(ApiRequest.of(
                        "POST",
                        ResourceTypes.PODS.objectPath(pod.objectName()) + "/eviction",
                        Map.of(),
                        new ApiRequest.Body(ApiRequest.JSON, body.getBytes(StandardCharsets.UTF_8))))
                .code();
        note("eviction of " + pod.metadata().name() + ": " + code);
        assertThat(code).as("answer, after %s", history).isIn(201, 429);
        if (code == 201 && isCalm && isHealthy(pod)) {
            assertThat(healthy()).as("healthy pods, after %s", history).isGreaterThanOrEqualTo(desired());
        }
    }

    private static boolean isHealthy(Pod pod) {
        return pod.isReady() && !pod.metadata().isDeleting();
    }

    private int healthy() {
        return (int) live().stream().filter(BudgetSimulation::isHealthy).count();
    }

    private int desired() {
        return switch (limit) {
            case 0 -> 3;
            case 1 -> (replicas + 1) / 2;
            case 2 -> Math.max(0, replicas - 2);
            default -> replicas - (replicas * 3 + 9) / 10;
        };
    }

    @Override
    protected void check(ApiRequest write) {
        assertThat(write.path()).endsWith("/status");
    }

    @Override
    protected void checkSettled() {
        PodDisruptionBudget budget = owner();
        PodDisruptionBudgetStatus status = budget.status();
        boolean hasPods = !live().isEmpty();
        int desired = limit == 0 || hasPods ? desired() : 0;
        assertThat(status)
                .as("status, after %s", history)
                .matches(s -> s.observedGeneration() == budget.metadata().generation())
                .matches(s -> s.currentHealthy() == healthy(), healthy() + " are healthy")
                .matches(s -> s.desiredHealthy() == desired, desired + " must be healthy")
                .matches(s -> s.disruptedPods().isEmpty())
                .matches(s -> s.disruptionsAllowed() == Math.max(0, s.expectedPods() == 0 ? 0 : healthy() - desired));
    }
}

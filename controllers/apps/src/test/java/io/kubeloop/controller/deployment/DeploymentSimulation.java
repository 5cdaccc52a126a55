/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A deployment in a world that goes wrong; see {@link WorkloadSimulation}. Its ReplicaSets have no controller: the
 * simulation reports how many pods they have.
 */
final class DeploymentSimulation extends WorkloadSimulation<Deployment> {

    private static final ObjectName KEY = new ObjectName("default", "web");

    private final ResourceClient<ReplicaSet> sets;

    /** The allowed number of pods by version of the deployment. */
    private final NavigableMap<Long, Integer> allowedByVersion = new TreeMap<>();

    /** The number of available pods of each ReplicaSet, by its UID and version. */
    private final Map<String, NavigableMap<Long, Integer>> availableByVersion = new HashMap<>();

    /** The sizes of the ReplicaSets after the last change of the world, and before it. */
    private Map<String, Integer> sizes = Map.of();

    private Map<String, Integer> before = Map.of();

    /**
     * Whether the deployment is paused or was scaled since: proportional scaling takes pods from each set, ready or
     * not.
     */
    private boolean isScaling;

    private boolean wasScaling;

    private SimulatedDeploymentManager manager;

    DeploymentSimulation(long seed) {
        super(seed, ResourceTypes.DEPLOYMENTS, KEY);
        sets = client.resource(ResourceTypes.REPLICA_SETS);
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        manager = new SimulatedDeploymentManager(process, clock);
        return manager.sync;
    }

    @Override
    protected void create() {
        create(ResourceTypes.DEPLOYMENTS, """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},
                 "spec":{"replicas":4,"revisionHistoryLimit":2,"progressDeadlineSeconds":600,
                         "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":1}},
                         "selector":{"matchLabels":{"app":"web"}},
                         "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c",\
                "image":"i0"}]}}}}""");
        worldChanged();
    }

    @Override
    protected void somebodyActs() {
        switch (random.nextInt(6)) {
            case 0, 1 -> patch("{\"spec\":{\"replicas\":" + random.nextInt(8) + "}}");
            case 2, 3 ->
                patch("[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/image\",\"value\":\"i"
                        + random.nextInt(4) + "\"}]");
            case 4 -> patch("{\"spec\":{\"paused\":" + random.nextBoolean() + "}}");
            default ->
                patch("{\"spec\":{\"strategy\":{\"rollingUpdate\":{\"maxSurge\":" + random.nextInt(3)
                        + ",\"maxUnavailable\":\"" + (1 + random.nextInt(50)) + "%\"}}}}");
        }
    }

    @Override
    protected void settle() {
        patch("{\"spec\":{\"paused\":false}}");
        worldChanged();
        super.settle();
    }

    @Override
    protected void othersFinish() {
        ownedSets().forEach(set -> report(set, Rollout.replicas(set), Rollout.replicas(set)));
    }

    /** What the garbage collector does: the ReplicaSets of a deployment that is gone go too. */
    @Override
    protected void collectGarbage() {
        String uid = owner().metadata().uid();
        for (ReplicaSet set : sets.list("", ListOptions.NONE).items()) {
            OwnerReference controller = set.metadata().controller();
            if (controller != null && !controller.uid().equals(uid)) {
                sets.delete(set.objectName(), DeleteOptions.DEFAULT);
            }
        }
        worldChanged();
    }

    @Override
    protected void check(ApiRequest write) {
        if (write.path().contains("/replicasets") && !write.method().equals("PATCH")) {
            checkGrowth();
            if (!wasScaling) {
                checkAvailability();
            }
        }
    }

    @Override
    protected void checkSettled() {
        Deployment deployment = owner();
        Rollout rollout = Rollout.of(deployment, ownedSets());
        assertThat(rollout.newSet()).as("settled, after %s", history).isNotNull();
        assertThat(Rollout.replicas(rollout.newSet()))
                .as("new pods, after %s", history)
                .isEqualTo(rollout.replicas());
        assertThat(rollout.activeOldSets()).as("old pods, after %s", history).isEmpty();
        assertThat(rollout.oldSets()).as("history, after %s", history).hasSizeLessThanOrEqualTo(2);
        assertThat(DeploymentStatuses.isComplete(deployment, deployment.status()))
                .as("status %s, after %s", deployment.status(), history)
                .isTrue();
    }

    /** A write that makes a ReplicaSet smaller takes no available pods away beyond maxUnavailable. */
    private void checkAvailability() {
        Deployment seen = manager.deployments.get(KEY);
        boolean isCurrent = seen != null
                && owner().metadata().resourceVersion().equals(seen.metadata().resourceVersion());
        if (isCurrent) {
            int least = Rollout.replicas(seen) - RolloutLimits.of(seen).maxUnavailable();
            assertThat(Stream.of(true, false))
                    .as("least of pods left available, %s, after %s", sizes, history)
                    .anyMatch(most -> available(sizes, most) >= Math.min(available(before, most), least));
        }
    }

    /**
     * Returns the number of available pods that ReplicaSets of these sizes keep.
     *
     * @param most whether sets that have shrunk had the most pods that the controller may know, or the fewest
     */
    private int available(Map<String, Integer> kept, boolean most) {
        return ownedSets().stream()
                .mapToInt(set -> {
                    String name = set.metadata().name();
                    boolean hasShrunk = sizes.getOrDefault(name, 0) < before.getOrDefault(name, 0);
                    IntStream known = known(set);
                    int available = (hasShrunk && !most ? known.min() : known.max()).orElse(0);
                    return Math.min(available, kept.getOrDefault(name, 0));
                })
                .sum();
    }

    /** Returns the numbers of available pods since the version in the cache: a list may have returned any of them. */
    private IntStream known(ReplicaSet set) {
        NavigableMap<Long, Integer> versions =
                availableByVersion.getOrDefault(set.metadata().uid(), new TreeMap<>());
        ReplicaSet cached = manager.sets.get(set.objectName());
        long from = cached == null ? 0 : Long.parseLong(cached.metadata().resourceVersion());
        Long floor = versions.floorKey(from);
        return versions.tailMap(floor == null ? from : floor).values().stream().mapToInt(Integer::intValue);
    }

    /** A write that makes a ReplicaSet larger never goes beyond replicas and surge. */
    private void checkGrowth() {
        boolean hasGrown =
                sizes.entrySet().stream().anyMatch(set -> set.getValue() > before.getOrDefault(set.getKey(), 0));
        Deployment seen = manager.deployments.get(KEY);
        if (hasGrown && seen != null) {
            // The controller may not have received the latest numbers yet: any that were wanted since then are allowed.
            long version = Long.parseLong(seen.metadata().resourceVersion());
            Long from = allowedByVersion.floorKey(version);
            int allowed = allowedByVersion.tailMap(from == null ? version : from).values().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
            assertThat(sizes.values().stream().mapToInt(Integer::intValue).sum())
                    .as("pods wanted, %s, after %s", sizes, history)
                    .isLessThanOrEqualTo(allowed);
        }
    }

    /** The controller of ReplicaSets makes pods, and some of them become available. */
    @Override
    protected void othersWork() {
        List<ReplicaSet> owned = ownedSets();
        if (!owned.isEmpty()) {
            ReplicaSet set = owned.get(random.nextInt(owned.size()));
            int wanted = Rollout.replicas(set);
            int pods = random.nextInt(3) > 0 ? wanted : random.nextInt(wanted + 1);
            report(set, pods, random.nextInt(3) > 0 ? pods : random.nextInt(pods + 1));
        }
    }

    private void report(ReplicaSet set, int pods, int available) {
        String status =
                """
                {"status":{"replicas":%d,"fullyLabeledReplicas":%d,"readyReplicas":%d,"availableReplicas":%d,\
                "terminatingReplicas":0,
                 "observedGeneration":%d}}""".formatted(pods, pods, available, available, set.metadata().generation());
        note(set.metadata().name() + " has " + pods + " pods, " + available + " available");
        sets.patch(set.objectName(), Patch.merge(status), "status");
        worldChanged();
    }

    private List<ReplicaSet> ownedSets() {
        return ownedSets(owner());
    }

    private List<ReplicaSet> ownedSets(Deployment deployment) {
        String uid = deployment.metadata().uid();
        return sets.list("", ListOptions.NONE).items().stream()
                .filter(set -> {
                    OwnerReference controller = set.metadata().controller();
                    return controller != null && controller.uid().equals(uid);
                })
                .toList();
    }

    @Override
    protected void worldChanged() {
        before = sizes;
        wasScaling = isScaling;
        List<Deployment> existing = owners.list("", ListOptions.NONE).items();
        for (Deployment deployment : existing) {
            allowedByVersion.put(
                    Long.parseLong(deployment.metadata().resourceVersion()),
                    Rollout.replicas(deployment) + RolloutLimits.of(deployment).maxSurge());
        }
        Map<String, Integer> now = new HashMap<>();
        isScaling = existing.stream().anyMatch(deployment -> deployment.spec().paused());
        existing.forEach(deployment -> ownedSets(deployment).forEach(set -> {
            now.put(set.metadata().name(), Rollout.replicas(set));
            availableByVersion
                    .computeIfAbsent(set.metadata().uid(), uid -> new TreeMap<>())
                    .put(
                            Long.parseLong(set.metadata().resourceVersion()),
                            set.status().availableReplicas());
            Integer desired = Revisions.desired(set);
            isScaling |= Rollout.replicas(set) > 0 && desired != null && desired != Rollout.replicas(deployment);
        }));
        sizes = now;
        super.worldChanged();
    }
}

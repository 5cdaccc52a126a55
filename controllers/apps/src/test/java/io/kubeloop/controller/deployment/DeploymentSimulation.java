package io.kubeloop.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * One deployment, a real (embedded) API server, and a world that goes wrong: watches lag, break and lose changes, handlers fall
 * behind, requests and answers get lost, other processes take the lead, also in the middle of a sync, people change the template,
 * scale, pause and replace, and pods become available or fail. One thread, virtual time; every choice comes from the seed.
 */
final class DeploymentSimulation implements AutoCloseable {

    private static final ObjectName KEY = new ObjectName("default", "web");
    private static final ListOptions EVERYTHING = ListOptionsBuilder.builder().build();
    private static final int SETTLE_ROUNDS = 60;

    private final Random random;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server;
    private final ResourceClient<Deployment> deployments;
    private final ResourceClient<ReplicaSet> sets;
    private final List<String> history = new ArrayList<>();

    /** The allowed number of pods by version of the deployment. */
    private final NavigableMap<Long, Integer> allowedByVersion = new TreeMap<>();

    /** The sizes of the ReplicaSets after the last write. */
    private Map<String, Integer> sizes = Map.of();

    /** Whether the deployment is paused or was scaled since: proportional scaling takes pods from each set, ready or not. */
    private boolean isScaling;

    private SimulatedDeploymentManager leader;
    private int nesting;

    DeploymentSimulation(long seed) {
        random = new Random(seed);
        server = EmbeddedApiServer.builder()
                .clock(clock)
                .random(new Random(seed))
                .build();
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        deployments = client.resource(ResourceTypes.DEPLOYMENTS);
        sets = client.resource(ResourceTypes.REPLICA_SETS);
        create();
        leader = newLeader();
    }

    @Override
    public void close() {
        server.close();
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
        }
        settle();
    }

    private void step(int choice) {
        if (choice < 30) {
            deliver();
        } else if (choice < 58) {
            leader.network.failures(random.nextInt(3) * 20);
            work();
        } else if (choice < 72) {
            replicaSetController();
        } else if (choice < 76) {
            patch("scale", "{\"spec\":{\"replicas\":" + random.nextInt(8) + "}}");
        } else if (choice < 80) {
            patch(
                    "new image",
                    "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/image\",\"value\":\"i"
                            + random.nextInt(4) + "\"}]");
        } else if (choice < 82) {
            patch("pause or resume", "{\"spec\":{\"paused\":" + random.nextBoolean() + "}}");
        } else if (choice < 84) {
            patch(
                    "limits",
                    "{\"spec\":{\"strategy\":{\"rollingUpdate\":{\"maxSurge\":" + random.nextInt(3)
                            + ",\"maxUnavailable\":\"" + (1 + random.nextInt(50)) + "%\"}}}}");
        } else if (choice < 86) {
            replace();
        } else if (choice < 89) {
            note("changes are lost");
            (random.nextBoolean() ? leader.deployments : leader.sets).loseChanges(random);
        } else if (choice < 92) {
            relist();
        } else if (choice < 95) {
            note("another process leads");
            leader = newLeader();
        } else {
            Duration passed = Duration.ofSeconds(random.nextBoolean() ? 1 : random.nextInt(900));
            note(passed + " pass");
            clock.advance(passed);
        }
    }

    /** With no more faults every watch finds what it lost, and the rollout ends without any further push. */
    private void settle() {
        note("quiet");
        patch("resume", "{\"spec\":{\"paused\":false}}");
        leader.deployments.relist();
        leader.sets.relist();
        leader.network.failures(0);
        for (int round = 0; round < SETTLE_ROUNDS; round++) {
            while (leader.deployments.deliver()
                    || leader.deploymentEvents.tell()
                    || leader.sets.deliver()
                    || leader.setEvents.tell()
                    || work()) {
                // One or the other: each may make work for the others.
            }
            owned().forEach(set -> report(set, Rollout.replicas(set), Rollout.replicas(set)));
            clock.advance(Duration.ofSeconds(30));
        }
        Deployment deployment = deployments.get(KEY);
        Rollout rollout = Rollout.of(deployment, owned());
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

    // -- the controller's side

    private SimulatedDeploymentManager newLeader() {
        SimulatedDeploymentManager manager = new SimulatedDeploymentManager(
                server.transport(),
                clock,
                random,
                asking -> asking == leader,
                request -> beforeWrite(),
                this::afterWrite);
        manager.start(
                deployments.list("", EVERYTHING).items(),
                sets.list("", EVERYTHING).items());
        return manager;
    }

    /** A process can lose the lead at any moment, also between two writes of one sync; the next does not wait for it. */
    private void beforeWrite() {
        if (nesting == 0 && random.nextInt(100) < 3) {
            nesting++;
            note("another process leads, in the middle of a sync");
            leader = newLeader();
            for (int i = random.nextInt(8); i > 0; i--) {
                step(random.nextInt(72));
            }
            nesting--;
        }
    }

    private void afterWrite(ApiRequest request) {
        Map<String, Integer> before = sizes;
        boolean wasScaled = isScaling;
        worldChanged();
        if (request.path().contains("/replicasets") && !request.method().equals("PATCH")) {
            checkGrowth(before);
            if (!wasScaled) {
                checkAvailability(before);
            }
        }
    }

    /** A write that makes a ReplicaSet smaller takes no available pods away beyond maxUnavailable. */
    private void checkAvailability(Map<String, Integer> before) {
        Deployment seen = leader.deployments.get(KEY);
        boolean isCurrent = seen != null
                && deployments
                        .get(KEY)
                        .metadata()
                        .resourceVersion()
                        .equals(seen.metadata().resourceVersion());
        if (isCurrent) {
            int least = Rollout.replicas(seen) - RolloutLimits.of(seen).maxUnavailable();
            assertThat(available(sizes))
                    .as("pods left available, %s, after %s", sizes, history)
                    .isGreaterThanOrEqualTo(Math.min(available(before), least));
        }
    }

    /** Returns the number of available pods that ReplicaSets of these sizes keep, as far as the controller can know. */
    private int available(Map<String, Integer> kept) {
        return owned().stream()
                .mapToInt(set -> {
                    ReplicaSet cached = leader.sets.get(set.objectName());
                    int known = Math.max(
                            set.status().availableReplicas(),
                            cached == null ? 0 : cached.status().availableReplicas());
                    return Math.min(known, kept.getOrDefault(set.metadata().name(), 0));
                })
                .sum();
    }

    /** A write that makes a ReplicaSet larger never goes beyond replicas and surge. */
    private void checkGrowth(Map<String, Integer> before) {
        boolean hasGrown =
                sizes.entrySet().stream().anyMatch(set -> set.getValue() > before.getOrDefault(set.getKey(), 0));
        Deployment seen = leader.deployments.get(KEY);
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

    private boolean work() {
        String outcome = leader.processNextWorkItem();
        if (!outcome.isEmpty()) {
            note(outcome);
        }
        return !outcome.isEmpty();
    }

    private void deliver() {
        note("watch");
        if (random.nextInt(3) == 0) {
            leader.deployments.deliver();
        } else {
            leader.sets.deliver();
        }
        tellHandlers();
    }

    private void tellHandlers() {
        if (random.nextInt(4) > 0) {
            leader.deploymentEvents.tellAll();
        }
        if (random.nextInt(4) > 0) {
            leader.setEvents.tellAll();
        }
    }

    private void relist() {
        note("relist");
        if (random.nextBoolean()) {
            leader.deployments.relist();
        } else {
            leader.sets.relist();
        }
        tellHandlers();
    }

    // -- the others

    private void create() {
        String json = """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},
                 "spec":{"replicas":4,"revisionHistoryLimit":2,"progressDeadlineSeconds":600,
                         "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":1}},
                         "selector":{"matchLabels":{"app":"web"}},
                         "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i0"}]}}}}""";
        deployments.create(JsonCodec.standard()
                .decode(ResourceTypes.DEPLOYMENTS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
        worldChanged();
    }

    private void patch(String what, String patch) {
        note(what + " " + patch);
        deployments.patch(KEY, patch.startsWith("[") ? Patch.json(patch) : Patch.merge(patch));
        worldChanged();
    }

    private void replace() {
        note("the deployment is replaced by another of its name");
        deployments.delete(KEY, new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null));
        if (random.nextBoolean()) {
            worldChanged();
        }
        // What the garbage collector does: the ReplicaSets of a deployment that is gone go too.
        sets.list("", EVERYTHING).items().forEach(set -> sets.delete(set.objectName(), DeleteOptions.DEFAULT));
        create();
    }

    /** The controller of ReplicaSets makes pods, and some of them become available. */
    private void replicaSetController() {
        List<ReplicaSet> owned = owned();
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
                {"status":{"replicas":%d,"fullyLabeledReplicas":%d,"readyReplicas":%d,"availableReplicas":%d,"terminatingReplicas":0,
                 "observedGeneration":%d}}""".formatted(pods, pods, available, available, set.metadata().generation());
        note(set.metadata().name() + " has " + pods + " pods, " + available + " available");
        sets.patch(set.objectName(), Patch.merge(status), "status");
        worldChanged();
    }

    // -- the server's side

    private List<ReplicaSet> owned() {
        return owned(deployments.get(KEY));
    }

    private List<ReplicaSet> owned(Deployment deployment) {
        String uid = deployment.metadata().uid();
        return sets.list("", EVERYTHING).items().stream()
                .filter(set -> {
                    OwnerReference controller = set.metadata().controller();
                    return controller != null && controller.uid().equals(uid);
                })
                .toList();
    }

    private void worldChanged() {
        List<Deployment> existing = deployments.list("", EVERYTHING).items();
        for (Deployment deployment : existing) {
            allowedByVersion.put(
                    Long.parseLong(deployment.metadata().resourceVersion()),
                    Rollout.replicas(deployment) + RolloutLimits.of(deployment).maxSurge());
        }
        Map<String, Integer> now = new HashMap<>();
        isScaling = existing.stream().anyMatch(deployment -> deployment.spec().paused());
        existing.forEach(deployment -> owned(deployment).forEach(set -> {
            now.put(set.metadata().name(), Rollout.replicas(set));
            Integer desired = Revisions.desired(set);
            isScaling |= Rollout.replicas(set) > 0 && desired != null && desired != Rollout.replicas(deployment);
        }));
        sizes = now;
        if (leader != null) {
            leader.deployments.serverHas(existing);
            leader.sets.serverHas(sets.list("", EVERYTHING).items());
        }
    }

    private void note(String what) {
        history.add(what);
    }
}

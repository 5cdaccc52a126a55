package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Pods;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * One owner, a real (embedded) API server, and a world that goes wrong: watches lag, break and lose changes, handlers fall
 * behind, requests and answers get lost, processes end and others lead, also in the middle of a sync, people scale, delete,
 * relabel and replace, pods start, fail and take their time to end. One thread, virtual time; every choice comes from the seed.
 */
final class ReplicaSimulation<T extends KubeObject> implements AutoCloseable {

    private static final ObjectName KEY = new ObjectName("default", "api");
    private static final ListOptions EVERYTHING = ListOptionsBuilder.builder().build();
    private static final int SETTLE_ROUNDS = 30;

    private final ReplicaKind<T> kind;
    private final Random random;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server;
    private final ResourceClient<T> owners;
    private final ResourceClient<Pod> pods;
    private final List<String> history = new ArrayList<>();

    /** The wanted number of pods by version of the owner. */
    private final NavigableMap<Long, Integer> wantedByVersion = new TreeMap<>();

    private SimulatedReplicaManager<T> leader;
    private int nesting;
    private int created;

    ReplicaSimulation(ReplicaKind<T> kind, long seed) {
        this.kind = kind;
        random = new Random(seed);
        server = EmbeddedApiServer.builder()
                .clock(clock)
                .random(new Random(seed))
                .build();
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        owners = client.resource(kind.type());
        pods = client.resource(ResourceTypes.PODS);
        createOwner();
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
        if (choice < 34) {
            deliver();
        } else if (choice < 60) {
            leader.network.failures(random.nextInt(3) * 20);
            work();
        } else if (choice < 66) {
            scale(random.nextInt(7));
        } else if (choice < 74) {
            kubelet();
        } else if (choice < 78) {
            somebodyChangesAPod();
        } else if (choice < 80) {
            createPod();
        } else if (choice < 82) {
            replaceOwner();
        } else if (choice < 86) {
            note("changes are lost");
            (random.nextBoolean() ? leader.owners : leader.pods).loseChanges(random);
        } else if (choice < 90) {
            relist();
        } else if (choice < 93) {
            note("another process leads");
            leader = newLeader();
        } else {
            Duration passed = Duration.ofSeconds(random.nextBoolean() ? 1 : random.nextInt(600));
            note(passed + " pass");
            clock.advance(passed);
        }
    }

    /** With no more faults every watch finds what it lost, and what is wanted comes to be without any further push. */
    private void settle() {
        note("quiet");
        leader.owners.relist();
        leader.pods.relist();
        leader.network.failures(0);
        for (int round = 0; round < SETTLE_ROUNDS; round++) {
            while (leader.owners.deliver()
                    || leader.ownerEvents.tell()
                    || leader.pods.deliver()
                    || leader.podEvents.tell()
                    || work()) {
                // One or the other: each may make work for the others.
            }
            live().forEach(this::advance);
            clock.advance(Duration.ofMinutes(1));
        }
        T owner = owners.get(KEY);
        ReplicaView<T> view = kind.view(owner);
        assertThat(ownedBy(owner)).as("settled, after %s", history).hasSize(view.replicas());
        assertThat(List.of(
                        view.status().replicas(),
                        view.status().readyReplicas(),
                        view.status().availableReplicas()))
                .as("status, after %s", history)
                .containsOnly(view.replicas());
        assertThat(view.status().observedGeneration())
                .isEqualTo(owner.metadata().generation());
    }

    // -- the controller's side

    private SimulatedReplicaManager<T> newLeader() {
        List<SimulatedReplicaManager<T>> self = new ArrayList<>();
        SimulatedReplicaManager<T> manager = new SimulatedReplicaManager<>(
                kind,
                server.transport(),
                clock,
                random,
                asking -> asking == leader,
                request -> beforeWrite(),
                request -> afterWrite(self.get(0), request));
        self.add(manager);
        manager.start(owners.list("", EVERYTHING).items(), live());
        return manager;
    }

    /** A process can lose the lead at any moment, also between two writes of one sync; the next does not wait for it. */
    private void beforeWrite() {
        if (nesting == 0 && random.nextInt(100) < 3) {
            nesting++;
            note("another process leads, in the middle of a sync");
            leader = newLeader();
            for (int i = random.nextInt(8); i > 0; i--) {
                step(random.nextInt(60));
            }
            nesting--;
        }
    }

    private void afterWrite(SimulatedReplicaManager<T> writer, ApiRequest request) {
        if (request.method().equals("POST")) {
            checkCreation(writer);
        }
        worldChanged();
    }

    /** I9, at the very moment in which the server has made a pod. */
    private void checkCreation(SimulatedReplicaManager<T> writer) {
        T seen = writer.owners.get(KEY);
        assertThat(seen)
                .as("creations are made for an owner, after %s", history)
                .isNotNull();
        // The controller may not have received the latest number yet: any number wanted since then is allowed.
        int wanted = wantedByVersion.tailMap(wantedByVersion.floorKey(version(seen))).values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        assertThat(ownedBy(seen).size())
                .as("I9: pods created, after %s", history)
                .isLessThanOrEqualTo(wanted);
    }

    private boolean work() {
        SimulatedReplicaManager<T> working = leader;
        String outcome = working.processNextWorkItem();
        if (!outcome.isEmpty()) {
            note(outcome);
        }
        return !outcome.isEmpty();
    }

    private void deliver() {
        note("watch");
        if (random.nextInt(4) == 0) {
            leader.owners.deliver();
        } else {
            leader.pods.deliver();
        }
        tellHandlers();
    }

    /** Handlers fall behind the caches, each for itself, and catch up. */
    private void tellHandlers() {
        if (random.nextInt(4) > 0) {
            leader.ownerEvents.tellAll();
        }
        if (random.nextInt(4) > 0) {
            leader.podEvents.tellAll();
        }
    }

    private void relist() {
        note("relist");
        if (random.nextBoolean()) {
            leader.owners.relist();
        } else {
            leader.pods.relist();
        }
        tellHandlers();
    }

    // -- the others

    private void createOwner() {
        String json = """
                {"apiVersion":"%s","kind":"%s","metadata":{"name":"api","namespace":"default"},
                 "spec":{"replicas":3,"minReadySeconds":%d,"selector":%s,
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}""".formatted(
                kind.type().apiVersion(),
                kind.type().kind(),
                random.nextInt(2) * 20,
                kind.type().kind().equals("ReplicaSet") ? "{\"matchLabels\":{\"app\":\"api\"}}" : "{\"app\":\"api\"}");
        ownerChanged(owners.create(JsonCodec.standard()
                .decode(kind.type(), new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))));
    }

    private void scale(int replicas) {
        note("scale to " + replicas);
        ownerChanged(owners.patch(KEY, Patch.merge("{\"spec\":{\"replicas\":" + replicas + "}}")));
    }

    private void replaceOwner() {
        note("the owner is replaced by another of its name");
        owners.delete(KEY, new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null));
        if (random.nextBoolean()) {
            worldChanged();
        }
        createOwner();
    }

    private void ownerChanged(T owner) {
        wantedByVersion.put(version(owner), kind.view(owner).replicas());
        worldChanged();
    }

    private void kubelet() {
        List<Pod> live = live();
        if (!live.isEmpty()) {
            advance(live.get(random.nextInt(live.size())));
        }
    }

    /** Takes a pod to the next state of its life, if it has one. */
    private void advance(Pod pod) {
        if (pod.metadata().isDeleting()) {
            end(pod, 0);
            worldChanged();
        } else if (pod.status().phase().equals("Pending")) {
            report(pod, "Running", "True");
            worldChanged();
        }
    }

    private void somebodyChangesAPod() {
        List<Pod> live = live();
        if (live.isEmpty()) {
            return;
        }
        Pod pod = live.get(random.nextInt(live.size()));
        switch (random.nextInt(5)) {
            case 0 -> end(pod, 0);
            case 1 -> end(pod, 30);
            case 2 -> label(pod, "other");
            case 3 -> label(pod, "api");
            default -> report(pod, random.nextBoolean() ? "Failed" : "Succeeded", "False");
        }
        worldChanged();
    }

    private void createPod() {
        note("somebody makes a pod that fits");
        pods.create(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"bare-%d","namespace":"default","labels":{"app":"api"}},
                 "spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}""".formatted(++created))));
        worldChanged();
    }

    private void end(Pod pod, int graceSeconds) {
        note("the end of " + pod.metadata().name());
        pods.delete(pod.objectName(), new DeleteOptions((long) graceSeconds, null, null, null));
    }

    private void label(Pod pod, String app) {
        note(pod.metadata().name() + " is labelled " + app);
        pods.patch(pod.objectName(), Patch.merge("{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}"));
    }

    private void report(Pod pod, String phase, String ready) {
        if (Pods.isPodActive(pod)) {
            note(pod.metadata().name() + " is " + phase);
            pods.patch(pod.objectName(), Patch.merge("""
                            {"status":{"phase":"%s","conditions":[{"type":"Ready","status":"%s","lastTransitionTime":"%s"}]}}""".formatted(phase, ready, clock.instant())), "status");
        }
    }

    // -- the server's side

    private List<Pod> live() {
        return pods.list("", EVERYTHING).items();
    }

    /** Returns its active pods: a pod that it controls and does not select is about to be released. */
    private List<String> ownedBy(T owner) {
        return live().stream()
                .filter(pod -> {
                    OwnerReference controller = pod.metadata().controller();
                    return Pods.isPodActive(pod)
                            && "api".equals(pod.metadata().labels().get("app"))
                            && controller != null
                            && controller.uid().equals(owner.metadata().uid());
                })
                .map(pod -> pod.metadata().name())
                .toList();
    }

    private void worldChanged() {
        if (leader != null) {
            leader.owners.serverHas(owners.list("", EVERYTHING).items());
            leader.pods.serverHas(live());
        }
    }

    private static long version(KubeObject object) {
        return Long.parseLong(object.metadata().resourceVersion());
    }

    private void note(String what) {
        history.add(what);
    }
}

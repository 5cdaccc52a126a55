package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Pod;
import io.kubeloop.api.ReplicaSet;
import io.kubeloop.api.ReplicaSetSpecBuilder;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One run of a ReplicaSet whose pods' cache lags behind the server at random, while answers get lost, time passes, people
 * delete pods and change their minds. Every choice comes from the seed.
 */
final class LaggingCacheSimulation {

    private static final ObjectName KEY = new ObjectName("prod", "api");

    /** What the watch has still to tell: a pod that came, or the name of one that went. */
    private record Pending(@Nullable Pod added, @Nullable ObjectName deleted) {}

    private final Random random;
    private final Harness<ReplicaSet> harness =
            new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);
    private final Deque<Pending> watch = new ArrayDeque<>();
    private final Map<ObjectName, Pod> seenByWatch = new LinkedHashMap<>();
    private final List<String> history = new ArrayList<>();
    private int ownerVersion;

    LaggingCacheSimulation(long seed) {
        random = new Random(seed);
        harness.server.keepCreated();
        scale(3);
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
        }
        settle();
    }

    private void step(int choice) {
        if (choice < 40) {
            deliver();
        } else if (choice < 70) {
            failSomething();
            sync();
            harness.server.clearFaults();
        } else if (choice < 80) {
            scale(random.nextInt(7));
        } else if (choice < 87) {
            somebodyDeletesAPod();
        } else if (choice < 92) {
            relist();
        } else {
            history.add("six minutes pass");
            harness.clock.advance(Duration.ofMinutes(6));
        }
    }

    /** With no more faults, and time for expectations to expire, the number of pods becomes what is wanted. */
    private void settle() {
        for (int round = 0; round < 10; round++) {
            while (!watch.isEmpty()) {
                deliver();
            }
            sync();
            harness.clock.advance(Duration.ofMinutes(6));
        }
        assertThat(live()).as("settled, after %s", history).hasSize(wanted());
    }

    private void sync() {
        harness.server.clearActions();
        int before = live().size();
        try {
            harness.sync.syncReplicaSet(KEY);
            history.add("sync");
        } catch (RuntimeException e) {
            history.add("sync failed: " + e.getMessage());
        }
        int after = live().size();
        if (after > before) {
            assertThat(after).as("I9: pods created, after %s", history).isLessThanOrEqualTo(wanted());
        }
        recordChanges();
    }

    private void failSomething() {
        int call = 1 + random.nextInt(4);
        switch (random.nextInt(6)) {
            case 0 -> harness.server.with(Fault.lostAnswer("create", "pods").onCalls(call, call));
            case 1 ->
                harness.server.with(
                        Fault.of("create", "pods", 500, "InternalError", "no").onCalls(call, 9));
            case 2 -> harness.server.with(Fault.lostAnswer("delete", "pods").onCalls(call, call));
            case 3 -> harness.server.with(Fault.of("list", "pods", 503, "ServiceUnavailable", "later"));
            default -> history.add("no fault");
        }
    }

    private void scale(int replicas) {
        history.add("scale to " + replicas);
        ReplicaSet owner = Harness.decode(new ReplicaSetKind().type(), Objects.requireNonNull(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs-1","generation":1},
                 "spec":{"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""")));
        ReplicaSet scaled = owner.withSpec(
                ReplicaSetSpecBuilder.builder(owner.spec()).replicas(replicas).build());
        harness.owners.with(scaled.withMetadata(ObjectMetaBuilder.builder(scaled.metadata())
                .resourceVersion(Integer.toString(++ownerVersion))
                .build()));
    }

    private int wanted() {
        return Objects.requireNonNull(
                Objects.requireNonNull(harness.owners.get(KEY)).spec().replicas());
    }

    /** Returns what the server has, undecoded. */
    private Map<ObjectName, Object> live() {
        Map<ObjectName, Object> live = new LinkedHashMap<>();
        harness.server.objects("pods").forEach(json -> {
            Map<?, ?> metadata = (Map<?, ?>) Objects.requireNonNull(json.get("metadata"));
            live.put(new ObjectName(KEY.namespace(), (String) metadata.get("name")), json);
        });
        return live;
    }

    private void somebodyDeletesAPod() {
        List<ObjectName> live = List.copyOf(live().keySet());
        if (!live.isEmpty()) {
            ObjectName name = live.get(random.nextInt(live.size()));
            history.add("somebody deletes " + name);
            harness.server.remove("pods", name);
            recordChanges();
        }
    }

    /** Lets the watch see what has changed on the server since the last time. */
    private void recordChanges() {
        Map<ObjectName, Object> live = live();
        live.forEach((name, json) -> {
            if (!seenByWatch.containsKey(name)) {
                Pod pod = Harness.pod(json);
                seenByWatch.put(name, pod);
                watch.add(new Pending(pod, null));
            }
        });
        List<ObjectName> gone = seenByWatch.keySet().stream()
                .filter(name -> !live.containsKey(name))
                .toList();
        gone.forEach(name -> {
            seenByWatch.remove(name);
            watch.add(new Pending(null, name));
        });
    }

    private void deliver() {
        Pending next = watch.poll();
        if (next == null) {
            return;
        }
        Pod added = next.added();
        if (added != null) {
            history.add("cache shows " + added.objectName());
            harness.pods.with(added);
            harness.handlers.addPod(added, false);
        } else {
            ObjectName name = Objects.requireNonNull(next.deleted());
            history.add("cache loses " + name);
            Pod last = harness.pods.get(name);
            harness.pods.remove(name);
            if (last != null) {
                harness.handlers.deletePod(new DeletedObject.Observed<>(name, last));
            }
        }
    }

    /** The watch breaks, and the cache jumps to what the server has: pods that came and went between are never seen. */
    private void relist() {
        history.add("relist");
        watch.clear();
        for (Pod cached : harness.pods.list()) {
            if (!seenByWatch.containsKey(cached.objectName())) {
                harness.pods.remove(cached.objectName());
                harness.handlers.deletePod(new DeletedFinalStateUnknown<>(cached.objectName(), cached));
            }
        }
        for (Pod live : seenByWatch.values()) {
            if (harness.pods.get(live.objectName()) == null) {
                harness.pods.with(live);
                harness.handlers.addPod(live, false);
            }
        }
    }
}

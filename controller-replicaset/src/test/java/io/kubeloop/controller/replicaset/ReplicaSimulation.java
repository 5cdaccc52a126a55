/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import io.kubeloop.testing.Json;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A ReplicaSet or ReplicationController in a world that goes wrong; see {@link WorkloadSimulation}. */
final class ReplicaSimulation<T extends KubeObject> extends WorkloadSimulation<T> {

    private static final ObjectName KEY = new ObjectName("default", "api");

    private final ReplicaKind<T> kind;

    /** The wanted number of pods by version of the owner. */
    private final NavigableMap<Long, Integer> wantedByVersion = new TreeMap<>();

    private LaggingCache<T> cachedOwners = new LaggingCache<>();
    private int created;

    ReplicaSimulation(ReplicaKind<T> kind, long seed) {
        super(seed, kind.type(), KEY);
        this.kind = kind;
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        cachedOwners = new LaggingCache<>();
        LaggingCache<Pod> cachedPods = new LaggingCache<>();
        Duration interval = ReplicaSetControllerConfig.DEFAULT.statusInterval();
        Wiring<T> wiring = Wiring.of(
                kind,
                cachedOwners,
                cachedPods,
                process.client(),
                new FakeRecorder(),
                process.queue,
                clock,
                new Wiring.Settings(500, interval, resource -> {}));
        process.cache(kind.type(), cachedOwners, new ReplicaSetController.OwnerEvents<>(wiring.handlers()));
        process.cache(ResourceTypes.PODS, cachedPods, new ReplicaSetController.PodEvents(wiring.handlers()));
        return wiring.sync()::syncReplicaSet;
    }

    @Override
    protected void create() {
        create(kind.type(), """
                {"apiVersion":"%s","kind":"%s","metadata":{"name":"api","namespace":"default"},
                 "spec":{"replicas":3,"minReadySeconds":%d,"selector":%s,
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c","image":"i"}\
                ]}}}}""".formatted(
                kind.type().apiVersion(),
                kind.type().kind(),
                random.nextInt(2) * 20,
                kind.type().kind().equals("ReplicaSet") ? "{\"matchLabels\":{\"app\":\"api\"}}" : "{\"app\":\"api\"}"));
        worldChanged();
    }

    @Override
    protected void somebodyActs() {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> patch("{\"spec\":{\"replicas\":" + random.nextInt(7) + "}}");
            case 3 -> createPod();
            default -> somebodyChangesAPod();
        }
    }

    @Override
    protected void check(ApiRequest write) {
        if (write.method().equals("POST")) {
            checkCreation();
        }
    }

    /** I9, at the very moment in which the server has made a pod. */
    private void checkCreation() {
        T seen = cachedOwners.get(KEY);
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
            default -> {
                if (Pods.isPodActive(pod)) {
                    report(pod, random.nextBoolean() ? "Failed" : "Succeeded", false);
                }
            }
        }
        worldChanged();
    }

    private void createPod() {
        note("somebody makes a pod that fits");
        pods.create(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"bare-%d","namespace":"default",\
                "labels":{"app":"api"}},
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

    @Override
    protected void checkSettled() {
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

    @Override
    protected void worldChanged() {
        owners.list("", ListOptions.NONE)
                .items()
                .forEach(owner ->
                        wantedByVersion.put(version(owner), kind.view(owner).replicas()));
        super.worldChanged();
    }

    private static long version(KubeObject object) {
        return Long.parseLong(object.metadata().resourceVersion());
    }
}

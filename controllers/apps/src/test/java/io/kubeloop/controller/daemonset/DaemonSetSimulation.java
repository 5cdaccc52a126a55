/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetStatus;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.history.PodTemplateHash;
import io.kubeloop.controller.history.RevisionData;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A DaemonSet and nodes in a world that goes wrong; see {@link WorkloadSimulation}. */
final class DaemonSetSimulation extends WorkloadSimulation<DaemonSet> {

    private static final ObjectName KEY = new ObjectName("default", "agent");
    private static final int NODES = 5;

    private final boolean surges;
    private final int limit;
    /** The number of syncs that began while the cache of pods was behind. */
    int staleSyncs;

    private LaggingCache<DaemonSet> sets = new LaggingCache<>();
    private LaggingCache<Node> nodes = new LaggingCache<>();
    private LaggingCache<Pod> cachedPods = new LaggingCache<>();

    DaemonSetSimulation(long seed) {
        super(seed, ResourceTypes.DAEMON_SETS, KEY);
        surges = random.nextInt(3) == 0;
        limit = 1 + random.nextInt(2);
        for (int i = 0; i < NODES; i++) {
            create(
                    ResourceTypes.NODES,
                    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n" + i
                            + "\",\"labels\":{\"pool\":\"a\"}}}");
            // The server taints a new node until its kubelet reports that it is ready.
            patchNode(new ObjectName("", "n" + i), "{\"spec\":{\"taints\":null}}");
        }
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        DaemonWiring wiring = new DaemonWiring(process, clock, resource -> {
            staleSyncs += resource.equals(ResourceTypes.PODS) ? 1 : 0;
        });
        sets = wiring.sets;
        nodes = wiring.nodes;
        cachedPods = wiring.pods;
        SimulatedQueue<ObjectName> changedNodes = new SimulatedQueue<>(clock);
        NodeChanges changes = new NodeChanges(
                wiring.caches,
                node -> wiring.pods.list().stream()
                        .filter(pod -> pod.spec().nodeName().equals(node))
                        .toList(),
                changedNodes,
                process.queue);
        process.cache(ResourceTypes.NODES, nodes, changes.handler());
        process.beforeWork(() -> {
            for (ObjectName node = changedNodes.get(); node != null; node = changedNodes.get()) {
                changes.syncNode(node);
            }
        });
        return wiring.sync::syncDaemonSet;
    }

    @Override
    protected void create() {
        create(ResourceTypes.DAEMON_SETS, """
                {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent","namespace":"default"},
                 "spec":{"revisionHistoryLimit":2,"minReadySeconds":%d,
                         "updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":%d,"maxUnavailable":%d}},
                         "selector":{"matchLabels":{"app":"agent"}},
                         "template":{"metadata":{"labels":{"app":"agent"}},
                                     "spec":{"nodeSelector":{"pool":"a"},"containers":[{"name":"c","image":"i0"}]}}}\
                }""".formatted(
                        random.nextInt(2) * 20, surges ? limit : 0, surges ? 0 : limit));
    }

    /** Makes another revision with the name that the first one of the set would have. */
    void collide() {
        String hash = PodTemplateHash.of(owner().spec().template(), null);
        create(
                ResourceTypes.CONTROLLER_REVISIONS,
                "{\"metadata\":{\"name\":\"agent-%s\",\"namespace\":\"default\"},\"revision\":1,\"data\":{\"other\":1}}"
                        .formatted(hash));
        worldChanged();
    }

    /** Makes a second revision of the set's template, with the higher number; returns its hash. */
    String duplicate() {
        String data = RevisionData.of(owner().spec().template());
        create(
                ResourceTypes.CONTROLLER_REVISIONS,
                "{\"metadata\":{\"name\":\"second\",\"namespace\":\"default\",\"labels\":{\"app\":\"agent\"}},"
                        + "\"revision\":7,\"data\":%s}".formatted(data));
        worldChanged();
        return "second";
    }

    /** Returns the status of the set at the server. */
    DaemonSetStatus status() {
        return owner().status();
    }

    /** Returns the distinct hashes of the set's pods. */
    Set<String> hashes() {
        Set<String> hashes = new HashSet<>();
        owned().forEach(pod -> hashes.add(pod.metadata().labels().get(DaemonPods.HASH_LABEL)));
        return hashes;
    }

    /** Returns the names of all revisions. */
    List<String> revisions() {
        return client.resource(ResourceTypes.CONTROLLER_REVISIONS).list("", ListOptions.NONE).items().stream()
                .map(revision -> revision.metadata().name())
                .toList();
    }

    @Override
    protected void somebodyActs() {
        ObjectName node = new ObjectName("", "n" + random.nextInt(NODES));
        switch (random.nextInt(6)) {
            case 0 ->
                patch("[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/image\",\"value\":\"i"
                        + random.nextInt(4) + "\"}]");
            case 1 ->
                patchNode(
                        node, "{\"metadata\":{\"labels\":{\"pool\":\"" + (random.nextBoolean() ? "a" : "b") + "\"}}}");
            case 2 ->
                patchNode(
                        node,
                        "{\"spec\":{\"taints\":"
                                + List.of(
                                                "null",
                                                "[{\"key\":\"k\",\"effect\":\"NoSchedule\"}]",
                                                "[{\"key\":\"k\",\"effect\":\"NoExecute\"}]")
                                        .get(random.nextInt(3))
                                + "}}");
            default -> somebodyHarmsAPod();
        }
    }

    private void patchNode(ObjectName node, String patch) {
        note(node + " " + patch);
        client.resource(ResourceTypes.NODES).patch(node, Patch.merge(patch));
    }

    @Override
    protected String node(Pod pod) {
        return Objects.requireNonNull(DaemonPods.node(pod));
    }

    @Override
    protected void check(ApiRequest write) {
        if (!write.path().contains("/pods") || write.path().contains("/status")) {
            return;
        }
        if (write.method().equals("POST")) {
            checkCreation();
        } else if (write.method().equals("DELETE") && !surges) {
            checkDeletion(write.path().substring(write.path().lastIndexOf('/') + 1));
        }
    }

    private void checkCreation() {
        Set<String> taken = new HashSet<>();
        Set<String> twice = new HashSet<>();
        List<String> excess = new ArrayList<>();
        for (Pod pod : owned()) {
            String node = node(pod);
            if (pod.isFinished() || pod.metadata().isDeleting() || taken.add(node)) {
                continue;
            }
            if (!surges || !twice.add(node)) {
                excess.add(node);
            }
        }
        assertThat(excess).as("I9: nodes with too many pods, after %s", history).isEmpty();
    }

    /**
     * An available pod of a fitting node goes only if enough others may be available, as far as the controller can
     * know.
     */
    private void checkDeletion(String name) {
        DaemonSet set = sets.get(KEY);
        Pod deleted = cachedPods.get(new ObjectName("default", name));
        if (set == null
                || deleted == null
                || hasEnded(name)
                || !NodePods.isAvailable(set, deleted, clock.instant())
                || !isStoredAvailable(set, name)) {
            return;
        }
        NodeEligibility eligibility = NodeEligibility.of(set);
        Node node = nodes.get(new ObjectName("", node(deleted)));
        if (node == null || !eligibility.shouldContinueRunning(node)) {
            return;
        }
        Set<String> available = new HashSet<>();
        Stream.concat(cachedPods.list().stream(), owned().stream())
                .filter(pod -> !pod.metadata().name().equals(name))
                .filter(pod -> NodePods.isAvailable(set, pod, clock.instant()))
                .forEach(pod -> available.add(node(pod)));
        long missing = nodes.list().stream()
                .filter(eligibility::shouldRun)
                .filter(fitting -> !available.contains(fitting.metadata().name()))
                .count();
        assertThat(missing)
                .as("nodes without an available pod after the deletion of %s, after %s", name, history)
                .isLessThanOrEqualTo(limit);
    }

    /** The controller may have read a pod from the server: one that was not ready for long enough then may go. */
    private boolean isStoredAvailable(DaemonSet set, String name) {
        return owned().stream()
                .anyMatch(pod -> pod.metadata().name().equals(name) && NodePods.isAvailable(set, pod, clock.instant()));
    }

    @Override
    protected void checkSettled() {
        DaemonSet set = owner();
        NodeEligibility eligibility = NodeEligibility.of(set);
        List<Node> all =
                client.resource(ResourceTypes.NODES).list("", ListOptions.NONE).items();
        List<Pod> pods = owned();
        for (Node node : all) {
            List<Pod> here = pods.stream()
                    .filter(pod -> node(pod).equals(node.metadata().name()))
                    .toList();
            if (eligibility.shouldRun(node)) {
                assertThat(here)
                        .as("pods of %s, after %s", node.metadata().name(), history)
                        .hasSize(1)
                        .allMatch(Pod::isReady);
            } else if (!eligibility.shouldContinueRunning(node)) {
                assertThat(here)
                        .as("pods of %s, after %s", node.metadata().name(), history)
                        .isEmpty();
            }
        }
        int wanted = (int) all.stream().filter(eligibility::shouldRun).count();
        DaemonSetStatus status = set.status();
        assertThat(status)
                .as("status, after %s", history)
                .matches(s -> s.updatedNumberScheduled() == s.desiredNumberScheduled())
                .matches(s -> s.numberAvailable() == s.desiredNumberScheduled())
                .matches(s -> s.observedGeneration() == set.metadata().generation());
        assertThat(pods.stream()
                        .filter(pod -> eligibility.shouldRun(all.stream()
                                .filter(node -> node.metadata().name().equals(node(pod)))
                                .findFirst()
                                .orElseThrow())))
                .as("pods, after %s", history)
                .hasSize(wanted);
    }
}

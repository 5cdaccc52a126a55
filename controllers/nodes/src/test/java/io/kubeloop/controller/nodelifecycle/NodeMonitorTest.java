/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.SeededRuns;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Passes over the nodes of a server, whose caches are always current. */
class NodeMonitorTest {

    private static final String NODES = "/api/v1/nodes";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ManualClock clock = new ManualClock(Instant.now());
    private final FakeRecorder recorder = new FakeRecorder();
    private final FakeLister<Node> nodes = new FakeLister<>();
    private final FakeLister<Lease> leases = new FakeLister<>();
    private final HealthRecords records =
            new HealthRecords(leases, client.resource(ResourceTypes.LEASES), NodeLifecycleConfig.DEFAULT);
    private final Zones zones = new Zones(NodeLifecycleConfig.DEFAULT, clock, ControllerMetrics.NONE);
    private final NodeTaints taints = new NodeTaints(client.resource(ResourceTypes.NODES), clock);
    private final NodeMonitor monitor = new NodeMonitor(
            new NodeMonitor.Parts(
                    nodes,
                    this::podsOn,
                    client.resource(ResourceTypes.NODES),
                    taints,
                    new PodReadiness(client.resource(ResourceTypes.PODS), recorder, clock),
                    recorder,
                    clock),
            records,
            zones,
            ControllerMetrics.NONE);

    @AfterEach
    void close() {
        server.close();
    }

    private List<Pod> podsOn(String node) {
        return client.resource(ResourceTypes.PODS).list("", ListOptions.NONE).items().stream()
                .filter(pod -> pod.spec().nodeName().equals(node))
                .toList();
    }

    private void pass() {
        nodes.list().forEach(node -> nodes.remove(node.objectName()));
        client.resource(ResourceTypes.NODES).list("", ListOptions.NONE).items().forEach(nodes::with);
        client.resource(ResourceTypes.LEASES).list("", ListOptions.NONE).items().forEach(leases::with);
        monitor.pass();
        zones.queues().forEach(monitor::taint);
    }

    private void createNode(String name) {
        requests.post(NODES, "{'metadata':{'name':'" + name + "'}}").ok();
    }

    private void report(String name, String ready) {
        requests.send(
                        "PATCH",
                        NODES + "/" + name + "/status",
                        STRATEGIC,
                        "{'status':{'conditions':[{'type':'Ready','status':'" + ready + "','lastHeartbeatTime':'"
                                + clock.instant().truncatedTo(ChronoUnit.SECONDS) + "'}]}}")
                .ok();
    }

    private void createPod(String name, String node) {
        String path = "/api/v1/namespaces/default/pods";
        requests.post(
                        path,
                        "{'metadata':{'name':'" + name + "'},'spec':{'nodeName':'" + node
                                + "','containers':[{'name':'c','image':'i'}]}}")
                .ok();
        requests.send(
                        "PATCH",
                        path + "/" + name + "/status",
                        STRATEGIC,
                        "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}")
                .ok();
    }

    private Node node(String name) {
        return client.resource(ResourceTypes.NODES).get(new ObjectName("", name));
    }

    private List<String> taintsOf(String name) {
        return node(name).spec().taints().stream()
                .map(taint -> taint.key() + ":" + taint.effect())
                .toList();
    }

    private List<String> events() {
        return recorder.events().stream().map(FakeRecorder.Recorded::text).toList();
    }

    @Test
    void nodeThatFallsSilent_becomesUnknown_itsPodsNotReady_andGetsTheTaintInTheNextPass() {
        createNode("a");
        createNode("b");
        report("a", "True");
        createPod("p", "a");
        pass();
        clock.advance(Duration.ofSeconds(51));
        report("b", "True");
        pass();

        assertThat(NodeConditions.ready(node("a"))).isEqualTo("Unknown");
        assertThat(node("a").status().conditions())
                .extracting(condition -> condition.type() + " " + condition.reason())
                .contains("Ready NodeStatusUnknown", "MemoryPressure NodeStatusNeverUpdated");
        assertThat(podsOn("a").get(0).status().condition("Ready").status()).isEqualTo("False");
        assertThat(events())
                .contains(
                        "Normal NodeNotReady Node a status is now: NodeNotReady",
                        "Warning NodeNotReady Node is not ready");

        pass();
        assertThat(taintsOf("a")).contains("node.kubernetes.io/unreachable:NoExecute");

        report("a", "True");
        clock.advance(Duration.ofSeconds(1));
        pass();
        assertThat(taintsOf("a")).doesNotContain("node.kubernetes.io/unreachable:NoExecute");
    }

    @Test
    void leaseThatIsRenewed_isASignOfLife() {
        createNode("a");
        report("a", "True");
        requests.post(
                        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
                        "{'metadata':{'name':'a'},'spec':{'renewTime':'2026-01-01T00:00:00.000000Z'}}")
                .ok();
        pass();
        for (int i = 1; i < 5; i++) {
            clock.advance(Duration.ofSeconds(40));
            requests.send(
                            "PATCH",
                            "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a",
                            "application/merge-patch+json",
                            "{'spec':{'renewTime':'2026-01-01T00:00:0" + i + ".000000Z'}}")
                    .ok();
            pass();
            assertThat(NodeConditions.ready(node("a"))).isEqualTo("True");
        }

        clock.advance(Duration.ofSeconds(51));
        pass();
        assertThat(NodeConditions.ready(node("a"))).isEqualTo("Unknown");
    }

    @Test
    void leaseThatTheCacheDoesNotShow_isReadBeforeANodeIsDeclaredUnknown() {
        createNode("a");
        report("a", "True");
        String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
        requests.post(lease, "{'metadata':{'name':'a'},'spec':{'renewTime':'2026-01-01T00:00:00.000000Z'}}")
                .ok();
        pass();
        clock.advance(Duration.ofSeconds(51));
        requests.send(
                        "PATCH",
                        lease + "/a",
                        "application/merge-patch+json",
                        "{'spec':{'renewTime':'2026-01-01T00:00:40.000000Z'}}")
                .ok();

        monitor.pass(); // the watch is behind
        assertThat(NodeConditions.ready(node("a"))).isEqualTo("True");

        clock.advance(Duration.ofSeconds(51));
        monitor.pass();
        assertThat(NodeConditions.ready(node("a"))).isEqualTo("Unknown");
    }

    @Test
    void nodeThatReportsItselfNotReady_keepsItsPodsReady_andIsTainted() {
        createNode("a");
        createNode("b");
        report("b", "True");
        report("a", "False");
        createPod("p", "a");

        pass();

        assertThat(taintsOf("a")).contains("node.kubernetes.io/not-ready:NoExecute");
        assertThat(podsOn("a").get(0).status().condition("Ready").status()).isEqualTo("True");
        assertThat(events()).noneMatch(event -> event.contains("NodeNotReady"));
    }

    @Test
    void taintThatAnotherClientRemoves_isAddedAgain() {
        createNode("a");
        createNode("b");
        report("b", "True");
        report("a", "False");
        pass();
        requests.send("PATCH", NODES + "/a", "application/merge-patch+json", "{'spec':{'taints':null}}")
                .ok();
        pass();
        assertThat(taintsOf("a")).as("the zone's rate").doesNotContain("node.kubernetes.io/not-ready:NoExecute");

        clock.advance(Duration.ofSeconds(10));
        pass();
        assertThat(taintsOf("a")).contains("node.kubernetes.io/not-ready:NoExecute");
    }

    @Test
    void taintOfOneKind_isExchangedForTheOtherAtOnce() {
        createNode("a");
        createNode("b");
        report("b", "True");
        report("a", "False");
        pass();
        clock.advance(Duration.ofSeconds(51));
        report("b", "True");
        pass();
        pass();

        assertThat(taintsOf("a"))
                .contains("node.kubernetes.io/unreachable:NoExecute")
                .doesNotContain("node.kubernetes.io/not-ready:NoExecute");
    }

    @Test
    void allNodesFailed_noNodeKeepsTheTaint() {
        createNode("a");
        createNode("b");
        report("a", "False");
        report("b", "True");
        pass();
        assertThat(taintsOf("a")).contains("node.kubernetes.io/not-ready:NoExecute");

        report("b", "False");
        pass();

        assertThat(taintsOf("a")).noneMatch(taint -> taint.endsWith("NoExecute"));
        assertThat(taintsOf("b")).noneMatch(taint -> taint.endsWith("NoExecute"));
    }

    @Test
    void conditionsAndUnschedulable_becomeTaints_andOthersStay() {
        requests.post(
                        NODES,
                        "{'metadata':{'name':'a','labels':{'kubernetes.io/os':'linux'}},'spec':{'unschedulable':true,"
                                + "'taints':["
                                + "{'key':'mine','effect':'NoSchedule'},"
                                + "{'key':'node.kubernetes.io/disk-pressure','effect':'NoSchedule'}]}}")
                .ok();
        requests.send(
                        "PATCH",
                        NODES + "/a/status",
                        STRATEGIC,
                        "{'status':{'conditions':[{'type':'Ready','status':'True'},{'type':'MemoryPressure',"
                                + "'status':'True'}]}}")
                .ok();
        nodes.with(node("a"));

        new ConditionTaints(nodes, taints).sync(new ObjectName("", "a"));

        assertThat(taintsOf("a"))
                .contains(
                        "mine:NoSchedule",
                        "node.kubernetes.io/memory-pressure:NoSchedule",
                        "node.kubernetes.io/unschedulable:NoSchedule")
                .doesNotContain("node.kubernetes.io/disk-pressure:NoSchedule");
        assertThat(node("a").metadata().labels()).containsEntry("beta.kubernetes.io/os", "linux");
    }

    @Test
    void nodes_areRegisteredAndRemoved() {
        createNode("a");
        pass();
        requests.delete(NODES + "/a").ok();
        pass();

        assertThat(events())
                .containsExactly(
                        "Normal RegisteredNode Node a event: Registered Node a in Controller",
                        "Normal RemovingNode Node a event: Removing Node a from Controller");
    }

    /**
     * Kubelets fall silent, break and recover, and the caches lag: only pods of nodes that were declared unknown become
     * not ready, and in the end conditions and taints are those that the kubelets cause.
     */
    @Test
    @Tag("stress")
    void conditionsAndTaints_followTheKubelets_whateverLags() {
        SeededRuns.each(
                seed -> new Run(new NodeMonitorTest(), new Random(seed)),
                run -> run.world().simulate(run.random()));
    }

    /** A run on a server of its own. */
    private record Run(NodeMonitorTest world, Random random) implements AutoCloseable {

        @Override
        public void close() {
            world.close();
        }
    }

    private void simulate(Random random) {
        Map<String, String> kubelets = new TreeMap<>();
        for (String name : List.of("a", "b", "c")) {
            createNode(name);
            report(name, "True");
            createPod("p-" + name, name);
            kubelets.put(name, "True");
        }
        pass();
        Set<String> declared = new HashSet<>();
        for (int step = 0; step < 40; step++) {
            String name = List.of("a", "b", "c").get(random.nextInt(3));
            switch (random.nextInt(5)) {
                case 0 -> kubelets.put(name, List.of("True", "False", "Unknown").get(random.nextInt(3)));
                case 1 -> monitor.pass();
                case 2 -> clock.advance(Duration.ofSeconds(random.nextInt(20)));
                case 3 -> beat(kubelets);
                default -> pass();
            }
            check(declared);
        }
        for (int round = 0; round < 12; round++) {
            clock.advance(Duration.ofSeconds(10));
            beat(kubelets);
            pass();
            check(declared);
        }
        boolean anyReady = kubelets.containsValue("True");
        kubelets.forEach((name, status) -> {
            assertThat(NodeConditions.ready(node(name))).as(name).isEqualTo(status);
            List<String> expected = anyReady && !status.equals("True")
                    ? List.of((status.equals("False") ? NodeTaints.NOT_READY : NodeTaints.UNREACHABLE) + ":NoExecute")
                    : List.of();
            assertThat(taintsOf(name))
                    .as(name + " of " + kubelets)
                    .filteredOn(taint -> taint.endsWith(":NoExecute"))
                    .isEqualTo(expected);
        });
    }

    /** Reports the nodes whose kubelets are not silent. */
    private void beat(Map<String, String> kubelets) {
        kubelets.forEach((name, status) -> {
            if (!status.equals("Unknown")) {
                report(name, status);
            }
        });
    }

    private void check(Set<String> declared) {
        for (String name : List.of("a", "b", "c")) {
            if (NodeConditions.ready(node(name)).equals("Unknown")) {
                declared.add(name);
            }
            assertThat(podsOn(name).get(0).isReady() || declared.contains(name))
                    .as("the pod of " + name + " is ready, or its node was lost")
                    .isTrue();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podgc;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodGcPassTest {

    private final FakeTransport server = new FakeTransport();
    private final KubeClient client = KubeClient.of(server, JsonCodec.standard());
    private final List<String> recorded = new ArrayList<>();
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));

    private static Pod pod(String name, String metadata, String node, String status) {
        String json = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','namespace':'a','uid':'u-"
                + name + "'" + metadata + "},'spec':{'nodeName':'" + node + "'},'status':{" + status + "}}";
        return JsonCodec.standard().decode(ResourceTypes.PODS, stream(json));
    }

    private static Node node(String name, String ready, String taints) {
        return JsonCodec.standard()
                .decode(
                        ResourceTypes.NODES,
                        stream("{'apiVersion':'v1','kind':'Node','metadata':{'name':'" + name + "'},'spec':{'taints':["
                                + taints + "]},'status':{'conditions':[{'type':'Ready','status':'" + ready + "'}]}}"));
    }

    private static ByteArrayInputStream stream(String json) {
        return new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private PodGcPass round(List<Node> nodes, int threshold, Pod... pods) {
        for (Pod pod : pods) {
            server.with(
                    "pods",
                    Map.of(
                            "apiVersion",
                            "v1",
                            "kind",
                            "Pod",
                            "metadata",
                            Map.of(
                                    "name",
                                    pod.metadata().name(),
                                    "namespace",
                                    pod.metadata().namespace())));
        }
        FakeLister<Pod> podLister = new FakeLister<>();
        List.of(pods).forEach(podLister::with);
        FakeLister<Node> nodeLister = new FakeLister<>();
        nodes.forEach(nodeLister::with);
        return new PodGcPass(
                podLister,
                nodeLister,
                new MissingNodes(client.resource(ResourceTypes.NODES), clock),
                new PodRemoval(client.resource(ResourceTypes.PODS), clock),
                threshold,
                Runnable::run,
                (metric, value, labels) -> recorded.add(metric.name() + List.of(labels)));
    }

    private List<String> deleted() {
        return server.actions("delete", "pods").stream().map(Action::name).toList();
    }

    @Test
    void run_moreFinishedPodsThanKept_deletesEvictedOnesAndThenTheOldest() {
        Pod old = pod("old", ",'creationTimestamp':'2025-01-01T00:00:00Z'", "n", "'phase':'Succeeded'");
        Pod evicted = pod(
                "evicted", ",'creationTimestamp':'2025-03-01T00:00:00Z'", "n", "'phase':'Failed','reason':'Evicted'");
        Pod recent = pod("recent", ",'creationTimestamp':'2025-02-01T00:00:00Z'", "n", "'phase':'Failed'");
        Pod running = pod("running", "", "n", "'phase':'Running'");

        round(List.of(node("n", "True", "")), 1, recent, old, evicted, running).run();

        assertThat(deleted()).containsExactlyInAnyOrder("evicted", "old");
        assertThat(server.actions("patch", "pods")).isEmpty();
    }

    @Test
    void run_podOfALostNode_goesAfterTheQuarantine_asADisruption() {
        PodGcPass round = round(List.of(), 0, pod("p", "", "lost", "'phase':'Running'"));

        round.run();
        clock.advance(Duration.ofSeconds(20));
        round.run();
        assertThat(deleted()).isEmpty();
        clock.advance(Duration.ofSeconds(20));
        round.run();

        assertThat(deleted()).containsExactly("p");
        assertThat(server.actions("patch", "pods"))
                .singleElement()
                .satisfies(patch -> assertThat(patch.body())
                        .contains("\"phase\":\"Failed\"", "\"DisruptionTarget\"", "\"DeletionByPodGC\""));
    }

    @Test
    void run_terminatingPods_goIfNobodyEndsThem() {
        String deleting = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
        Pod unscheduled = pod("unscheduled", deleting, "", "'phase':'Pending'");
        Pod outOfService = pod("out", deleting, "down", "'phase':'Running'");
        Pod ending = pod("ending", deleting, "up", "'phase':'Running'");
        String taint = "{'key':'node.kubernetes.io/out-of-service','effect':'NoExecute'}";

        round(List.of(node("down", "Unknown", taint), node("up", "True", taint)), 0, unscheduled, outOfService, ending)
                .run();

        assertThat(deleted()).containsExactly("out", "unscheduled");
        assertThat(recorded)
                .containsExactly(
                        "pod_gc_collector_force_delete_pods_total[a, out-of-service]",
                        "pod_gc_collector_force_delete_pods_total[a, unscheduled]");
    }
}

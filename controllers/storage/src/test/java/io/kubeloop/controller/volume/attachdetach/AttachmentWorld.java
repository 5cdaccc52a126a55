/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.volumes.CsiDrivers;
import io.kubeloop.controller.volumes.VolumeSpec;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A reconciler on a server, with caches and a clock that the test moves. */
final class AttachmentWorld implements AutoCloseable {

    static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";
    static final String NODES = "/api/v1/nodes";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    final Requests requests = new Requests(server.transport());
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final FakeLister<Node> nodes = new FakeLister<>();
    private final FakeLister<GenericObject> attachments = new FakeLister<>();
    final ManualClock clock = new ManualClock(Instant.EPOCH);
    final FakeRecorder recorder = new FakeRecorder();
    final FakeMetrics metrics = new FakeMetrics();
    final DesiredState desired = new DesiredState();
    final ActualState actual = new ActualState();
    final List<Duration> waits = new ArrayList<>();
    private final Set<String> awaited = new TreeSet<>();
    final Reconciler reconciler;

    AttachmentWorld(boolean forcesDetachment) {
        reconciler = new Reconciler(
                new Reconciler.Parts(
                        desired,
                        actual,
                        new NodeStatuses(nodes, client.resource(ResourceTypes.NODES)),
                        new Attachments(attachments, client.resource(Attachments.TYPE)),
                        new CsiDrivers(new FakeLister<>()),
                        recorder,
                        clock),
                forcesDetachment,
                new AttachMetrics(metrics),
                new Reconciler.Alarm() {
                    @Override
                    public void reconcileAfter(Duration wait) {
                        waits.add(wait);
                    }

                    @Override
                    public void lookAfter(String attachment, Duration wait) {
                        waits.add(wait);
                        awaited.add(attachment);
                    }
                });
    }

    @Override
    public void close() {
        server.close();
    }

    static VolumeSpec volume(String name, String mode) {
        return new VolumeSpec(
                name, VolumeSpec.CSI, "d.example.com^" + name, List.of(mode), true, false, JsonObject.EMPTY);
    }

    void createNode(String name, boolean isReady) {
        requests.post(NODES, "{'metadata':{'name':'" + name + "'}}").ok();
        status(name, "'conditions':[{'type':'Ready','status':'" + (isReady ? "True" : "False") + "'}]");
        desired.addNode(name);
    }

    void status(String node, String members) {
        requests.send("PATCH", NODES + "/" + node + "/status", MERGE, "{'status':{" + members + "}}")
                .ok();
    }

    static Pod pod(String namespace, String name, String node) {
        return Pod.of(
                ObjectMetaBuilder.builder()
                        .namespace(namespace)
                        .name(name)
                        .uid(namespace + "-" + name)
                        .build(),
                PodSpecBuilder.builder().nodeName(node).build(),
                PodStatus.EMPTY);
    }

    /** Shows the caches what the server has. */
    void refresh() {
        show(ResourceTypes.NODES, nodes);
        show(Attachments.TYPE, attachments);
        nodes.list().forEach(node -> actual.setInUse(node.metadata().name(), NodeStatuses.inUse(node)));
    }

    private <T extends KubeObject> void show(ResourceType<T> type, FakeLister<T> cache) {
        cache.list().forEach(object -> cache.remove(object.objectName()));
        client.resource(type).list("", ListOptions.NONE).items().forEach(cache::with);
    }

    /** Reconciles, and looks at every attachment that was ever awaited, as the alarms would. */
    void pass() {
        reconciler.reconcile();
        refresh();
        List.copyOf(awaited).forEach(reconciler::look);
        reconciler.reconcile();
    }

    /** Plays the drivers: attaches what is requested, and lets go what is deleted. */
    void driversWork() {
        for (GenericObject attachment :
                client.resource(Attachments.TYPE).list("", ListOptions.NONE).items()) {
            requests.send(
                            "PATCH",
                            ATTACHMENTS + "/" + attachment.metadata().name() + "/status",
                            MERGE,
                            "{'status':{'attached':true,'attachError':null}}")
                    .ok();
        }
    }

    void settle() {
        for (int i = 0; i < 4; i++) {
            pass();
            driversWork();
            refresh();
            clock.advance(Duration.ofSeconds(1));
        }
    }

    /** Returns the volumes that VolumeAttachments name, as {@code volume@node}, sorted. */
    List<String> requested() {
        return client.resource(Attachments.TYPE).list("", ListOptions.NONE).items().stream()
                .map(attachment -> attachment.string("spec", "source", "persistentVolumeName") + "@"
                        + attachment.string("spec", "nodeName"))
                .sorted()
                .toList();
    }

    Map<String, String> reported(String node) {
        return NodeStatuses.attached(client.resource(ResourceTypes.NODES).get(new ObjectName("", node)));
    }

    List<String> events() {
        return recorder.events().stream()
                .map(event -> event.regarding().name() + " " + event.text())
                .toList();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Both controllers with real informers, queues, threads and events, on the embedded API server. */
class ReplicaSetControllerIntegrationTest {

    private static final ObjectName API = new ObjectName("default", "api");

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final SharedInformerFactory informers = SharedInformers.factory(client);
    private final EventBroadcaster events = new EventBroadcaster(
            EventSink.of(client), EventCorrelatorOptions.DEFAULT, Clock.systemUTC(), this::newThread);
    private final ControllerContext context = new ControllerContext(
            name -> client, informers, Clock.systemUTC(), this::newThread, WorkQueueConfig::named, events::recorder);
    private final ReplicaSetController<ReplicaSet> replicaSets =
            ReplicaSetController.ofReplicaSets(context, ReplicaSetControllerConfig.DEFAULT);
    private final ReplicaSetController<ReplicationController> replicationControllers =
            ReplicaSetController.ofReplicationControllers(context, ReplicaSetControllerConfig.DEFAULT);

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    private void start() {
        replicaSets.start(2);
        replicationControllers.start(2);
        informers.start();
    }

    @AfterEach
    void close_always_leavesNoThread() {
        replicaSets.shutDown();
        replicationControllers.shutDown();
        assertThat(replicaSets.awaitTermination(Duration.ofSeconds(20))).isTrue();
        assertThat(replicationControllers.awaitTermination(ChronoUnit.FOREVER.getDuration()))
                .isTrue();
        informers.close();
        events.close();
        client.close();
        server.close();
        assertThat(threads).as("I12").noneMatch(Thread::isAlive);
    }

    @Test
    void replicaSet_createdScaledDeleted_podsFollow() {
        start();
        create(ResourceTypes.REPLICA_SETS, REPLICA_SET);
        awaitPods(3);
        ResourceClient<ReplicaSet> resource = client.resource(ResourceTypes.REPLICA_SETS);
        await("status").until(() -> resource.get(API).status().replicas() == 3);
        assertThat(pods())
                .as("I9")
                .allMatch(pod -> pod.metadata().controller() != null
                        && pod.metadata()
                                .controller()
                                .uid()
                                .equals(resource.get(API).metadata().uid())
                        && pod.metadata().name().startsWith("api-"));
        await("events").until(() -> eventsOf(PodControl.SUCCESSFUL_CREATE) == 3);

        scale(resource, 40);
        awaitPods(40);
        scale(resource, 1);
        awaitPods(1);
        await("observed")
                .until(() -> resource.get(API).status().observedGeneration()
                                == resource.get(API).metadata().generation()
                        && resource.get(API).status().replicas() == 1);

        scale(resource, 0);
        awaitPods(0);
        resource.delete(API, DeleteOptions.DEFAULT);
    }

    @Test
    void replicaSet_orphanMatches_isAdoptedAndReleasedAgain() {
        create(ResourceTypes.PODS, ORPHAN);
        start();
        create(ResourceTypes.REPLICA_SETS, REPLICA_SET);
        awaitPods(3);
        ResourceClient<Pod> resource = client.resource(ResourceTypes.PODS);
        ObjectName orphan = new ObjectName("default", "orphan");
        await("adopted").until(() -> resource.get(orphan).metadata().controller() != null);

        resource.patch(orphan, Patch.merge("{\"metadata\":{\"labels\":{\"app\":\"other\"}}}"));

        await("released").until(() -> resource.get(orphan).metadata().controller() == null);
        awaitPods(4);
    }

    @Test
    void replicationController_created_getsPodsAndStatus() {
        start();
        create(ResourceTypes.REPLICATION_CONTROLLERS, REPLICATION_CONTROLLER);
        awaitPods(2);
        ResourceClient<ReplicationController> resource = client.resource(ResourceTypes.REPLICATION_CONTROLLERS);
        await("status").until(() -> resource.get(API).status().replicas() == 2);
        assertThat(pods())
                .allMatch(pod -> pod.metadata().controller() != null
                        && pod.metadata().controller().kind().equals("ReplicationController")
                        && pod.metadata().controller().apiVersion().equals("v1"));
    }

    private <T extends KubeObject> void create(ResourceType<T> type, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        client.resource(type).create(JsonCodec.standard().decode(type, new ByteArrayInputStream(bytes)));
    }

    private static void scale(ResourceClient<ReplicaSet> resource, int replicas) {
        resource.patch(API, Patch.merge("{\"spec\":{\"replicas\":" + replicas + "}}"));
    }

    private List<Pod> pods() {
        return client.resource(ResourceTypes.PODS)
                .list("default", ListOptions.NONE)
                .items();
    }

    private void awaitPods(int count) {
        await("pods").atMost(Duration.ofSeconds(30)).until(() -> pods().size(), size -> size == count);
    }

    private int eventsOf(String reason) {
        return client.resource(ResourceTypes.EVENTS).list("default", ListOptions.NONE).items().stream()
                .filter(event -> event.reason().equals(reason))
                .mapToInt(Event::count)
                .sum();
    }

    private static final String TEMPLATE = """
            "template":{"metadata":{"labels":{"app":"api"}},
                        "spec":{"containers":[{"name":"c","image":"registry.example/api:1"}]}}""";

    private static final String REPLICA_SET = """
            {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"api","namespace":"default"},
             "spec":{"replicas":3,"selector":{"matchLabels":{"app":"api"}},%s}}""".formatted(TEMPLATE);

    private static final String REPLICATION_CONTROLLER = """
            {"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"api","namespace":"default"},
             "spec":{"replicas":2,"selector":{"app":"api"},%s}}""".formatted(TEMPLATE);

    private static final String ORPHAN = """
            {"apiVersion":"v1","kind":"Pod",
             "metadata":{"name":"orphan","namespace":"default","labels":{"app":"api"}},
             "spec":{"containers":[{"name":"c","image":"registry.example/api:1"}]}}""";
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders of what happens to the pod of a write: the server has stored the write, the watch delivers its
 * event, a user deletes the pod, the watch delivers that or finds it by a list, the worker reads the response, and the
 * next sync runs. Each order states how many pods were created when that sync returns. At the end the owner has one
 * pod, and no time has passed.
 */
class WriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "api");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).random(new Random(1)).build();
    private final KubeClient user = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ResourceClient<Pod> pods = user.resource(ResourceTypes.PODS);
    private final List<String> order = new ArrayList<>();
    private final LaggingCache<ReplicaSet> owners = new LaggingCache<>();
    private final LaggingCache<Pod> cachedPods = new LaggingCache<>();
    private final SimulatedProcess process =
            new SimulatedProcess(server.transport(), clock, new Random(1), each -> true, request -> {}, this::stored);
    private final Wiring<ReplicaSet> wiring;

    /** The write that the order is about: its method. Later writes are answered at once. */
    private String method = "";

    private boolean isAnswerLost;
    private int created;
    private int createdBySync;

    WriteOrdersTest() {
        wiring = Wiring.of(
                new ReplicaSetKind(),
                owners,
                cachedPods,
                process.client(),
                new FakeRecorder(),
                process.queue,
                clock,
                new Wiring.Settings(500, Duration.ZERO, resource -> {}));
        process.cache(ResourceTypes.REPLICA_SETS, owners, new ReplicaSetController.OwnerEvents<>(wiring.handlers()));
        process.cache(ResourceTypes.PODS, cachedPods, new ReplicaSetController.PodEvents(wiring.handlers()));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void ownerOf(int replicas) {
        user.resource(ResourceTypes.REPLICA_SETS)
                .create(Harness.decode(ResourceTypes.REPLICA_SETS, Json.parse("""
                        {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"api","namespace":"default"},
                         "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"api"}},
                                 "template":{"metadata":{"labels":{"app":"api"}},
                                             "spec":{"containers":[{"name":"c","image":"i"}]}}}}""".formatted(replicas))));
    }

    /** Called when the server has carried out a write of the controller, before the response is read. */
    private void stored(ApiRequest request) {
        boolean isPods = request.path().contains("/pods");
        created += isPods && request.method().equals("POST") ? 1 : 0;
        assertThat(owned().size()).as("I9, after %s", order).isLessThanOrEqualTo(1);
        process.worldChanged();
        if (isPods && request.method().equals(method)) {
            method = "";
            runUntil("ANSWER");
            if (isAnswerLost) {
                throw new TransportException(TransportException.Kind.TIMEOUT, "the response is lost", null);
            }
        }
    }

    private List<Pod> owned() {
        return pods.list("default", ListOptions.NONE).items().stream()
                .filter(pod -> {
                    OwnerReference controller = pod.metadata().controller();
                    return controller != null && controller.name().equals(KEY.name());
                })
                .toList();
    }

    private void runUntil(String end) {
        while (!order.isEmpty()) {
            String step = order.remove(0);
            if (step.equals(end)) {
                return;
            }
            run(step);
        }
    }

    private void run(String step) {
        switch (step) {
            case "EVENT" -> cachedPods.deliver();
            case "LIST" -> cachedPods.relist();
            case "VANISH" -> {
                pods.list("default", ListOptions.NONE)
                        .items()
                        .forEach(pod -> pods.delete(pod.objectName(), new DeleteOptions(0L, null, null, null)));
                process.worldChanged();
            }
            case "SYNC" -> {
                owners.relist(); // the cache of owners is up to date: the order is about that of pods
                process.queue.add(KEY);
                work();
                createdBySync = created;
            }
            default -> throw new IllegalArgumentException(step);
        }
    }

    /** Runs the order from the given write on, then lets the watches deliver everything. */
    private void run(String steps, String ofMethod, boolean isLost) {
        order.addAll(List.of(steps.trim().split(" +")));
        method = ofMethod;
        isAnswerLost = isLost;
        process.queue.add(KEY);
        work();
        runUntil("END");
        settle();
    }

    private boolean work() {
        return !process.processNextWorkItem(wiring.sync()::syncReplicaSet).isEmpty();
    }

    private void settle() {
        boolean more = true;
        while (more) {
            more = process.deliverAll();
            clock.advance(Duration.ofMillis(isAnswerLost ? 5 : 0)); // a failed sync is retried after 5 ms
            more |= work();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the creation | pods created when the sync returns
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER EVENT  SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 1
            EVENT  ANSWER VANISH EVENT  SYNC               | 2
            EVENT  ANSWER VANISH SYNC   EVENT              | 1
            EVENT  ANSWER SYNC   VANISH EVENT              | 1
            ANSWER EVENT  VANISH EVENT  SYNC               | 2
            ANSWER EVENT  VANISH SYNC   EVENT              | 1
            ANSWER EVENT  SYNC   VANISH EVENT              | 1
            ANSWER SYNC   EVENT  VANISH EVENT              | 1
            VANISH EVENT  EVENT  ANSWER SYNC               | 2
            VANISH ANSWER EVENT  EVENT  SYNC               | 2
            VANISH ANSWER EVENT  SYNC   EVENT              | 1
            VANISH ANSWER SYNC   EVENT  EVENT              | 1
            VANISH LIST   ANSWER SYNC                      | 2
            VANISH ANSWER LIST   SYNC                      | 2
            VANISH ANSWER SYNC   LIST                      | 1
            ANSWER VANISH LIST   SYNC                      | 2
            ANSWER VANISH SYNC   LIST                      | 1
            ANSWER SYNC   VANISH LIST                      | 1
            """)
    void creation(String steps, int expected) {
        ownerOf(1);
        process.start();
        run(steps, "POST", false);
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(owned()).as("settled, %s", steps).hasSize(1);
        assertThat(created).isEqualTo(2);
    }

    /** The pods are listed from the server, so a sync acts on the truth, whatever the cache shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the creation | pods created when the sync returns
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER EVENT  SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 2
            EVENT  ANSWER VANISH EVENT  SYNC               | 2
            EVENT  ANSWER VANISH SYNC   EVENT              | 2
            EVENT  ANSWER SYNC   VANISH EVENT              | 1
            ANSWER EVENT  VANISH EVENT  SYNC               | 2
            ANSWER EVENT  VANISH SYNC   EVENT              | 2
            ANSWER EVENT  SYNC   VANISH EVENT              | 1
            ANSWER SYNC   EVENT  VANISH EVENT              | 1
            VANISH EVENT  EVENT  ANSWER SYNC               | 2
            VANISH ANSWER SYNC   EVENT  EVENT              | 2
            VANISH LIST   ANSWER SYNC                      | 2
            VANISH ANSWER SYNC   LIST                      | 2
            ANSWER VANISH SYNC   LIST                      | 2
            ANSWER SYNC   VANISH LIST                      | 1
            """)
    void creationWhoseAnswerIsLost(String steps, int expected) {
        ownerOf(1);
        process.start();
        run(steps, "POST", true);
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(owned()).as("settled, %s", steps).hasSize(1);
        assertThat(created).isEqualTo(2);
    }

    /** An orphan is adopted, and its patch is the write of the order. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the patch    | pods created when the sync returns
            EVENT  ANSWER SYNC                             | 0
            ANSWER EVENT  SYNC                             | 0
            ANSWER SYNC   EVENT                            | 0
            EVENT  VANISH EVENT  ANSWER SYNC               | 1
            EVENT  VANISH ANSWER SYNC   EVENT              | 0
            ANSWER VANISH SYNC   EVENT  EVENT              | 0
            ANSWER VANISH EVENT  EVENT  SYNC               | 1
            VANISH ANSWER EVENT  SYNC   EVENT              | 0
            VANISH LIST   ANSWER SYNC                      | 1
            ANSWER VANISH SYNC   LIST                      | 0
            """)
    void adoption(String steps, int expected) {
        ownerOf(1);
        pods.create(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"bare","namespace":"default","labels":{"app":"api"}},
                 "spec":{"containers":[{"name":"c","image":"i"}]}}""")));
        process.start();
        run(steps, "PATCH", false);
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(owned()).as("settled, %s", steps).hasSize(1);
        assertThat(created).isEqualTo(steps.contains("VANISH") ? 1 : 0);
    }

    /** A scale down deletes the pod, and the owner is scaled up again before the watch of pods has delivered that. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the deletion | pods created when the sync returns
            EVENT  ANSWER SYNC                             | 2
            ANSWER EVENT  SYNC                             | 2
            ANSWER SYNC   EVENT                            | 1
            LIST   ANSWER SYNC                             | 2
            ANSWER LIST   SYNC                             | 2
            ANSWER SYNC   LIST                             | 1
            """)
    void deletion(String steps, int expected) {
        ownerOf(1);
        process.start();
        run("ANSWER", "POST", false);
        assertThat(owned()).hasSize(1);
        scale(0);
        method = "DELETE";
        order.addAll(List.of(steps.trim().split(" +")));
        process.deliverAll();
        work();
        scale(1);
        owners.relist();
        runUntil("END");
        settle();
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(owned()).as("settled, %s", steps).hasSize(1);
        assertThat(created).isEqualTo(2);
    }

    private void scale(int replicas) {
        user.resource(ResourceTypes.REPLICA_SETS).patch(KEY, Patch.merge("{\"spec\":{\"replicas\":" + replicas + "}}"));
        process.worldChanged();
    }
}

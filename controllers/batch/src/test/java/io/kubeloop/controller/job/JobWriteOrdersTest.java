/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders of what happens to the pod of a job: the server has stored the write, the watch delivers its event,
 * a user deletes the pod, the watch delivers that or finds it by a list, the worker reads the response, and the next
 * sync runs. Each order states how many pods were created when that sync returns. At the end the job has one pod.
 */
class JobWriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "job");
    private static final DeleteOptions AT_ONCE = new DeleteOptions(0L, null, null, null);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).random(new Random(1)).build();
    private final KubeClient user = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ResourceClient<Job> jobs = user.resource(ResourceTypes.JOBS);
    private final ResourceClient<Pod> pods = user.resource(ResourceTypes.PODS);
    private final List<String> order = new ArrayList<>();
    private final SimulatedProcess process =
            new SimulatedProcess(server.transport(), clock, new Random(1), each -> true, request -> {}, this::stored);
    private final SimulatedJobManager manager = new SimulatedJobManager(process, clock);

    /** The write of a pod that the order is about: its method. Later writes are answered at once. */
    private String method = "";

    private boolean isAnswerLost;
    private int created;
    private int createdBySync;

    @AfterEach
    void close() {
        server.close();
    }

    /** Called when the server has carried out a write of the controller, before the response is read. */
    private void stored(ApiRequest request) {
        boolean isPods = request.path().contains("/pods");
        created += isPods && request.method().equals("POST") ? 1 : 0;
        assertThat(running().size()).as("active pods, after %s", order).isLessThanOrEqualTo(1);
        process.worldChanged();
        if (isPods && request.method().equals(method)) {
            method = "";
            runUntil("ANSWER");
            if (isAnswerLost) {
                throw new TransportException(TransportException.Kind.TIMEOUT, "the response is lost", null);
            }
        }
    }

    private List<Pod> running() {
        return pods.list("default", ListOptions.NONE).items().stream()
                .filter(pod -> !pod.metadata().isDeleting())
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
            case "EVENT" -> manager.pods.deliver();
            case "LIST" -> manager.pods.relist();
            case "VANISH" -> {
                pods.list("default", ListOptions.NONE).items().forEach(this::remove);
                process.worldChanged();
            }
            case "SYNC" -> {
                manager.jobs.relist(); // the cache of jobs is up to date: the order is about that of pods
                process.queue.add(KEY);
                work();
                createdBySync = created;
            }
            default -> throw new IllegalArgumentException(step);
        }
    }

    private void remove(Pod pod) {
        pods.edit(
                pod.objectName(),
                live -> live.withMetadata(ObjectMetaBuilder.builder(live.metadata())
                        .finalizers(List.of())
                        .build()));
        pods.delete(pod.objectName(), AT_ONCE);
    }

    /** Starts a job of one pod, and runs the order from the creation on. */
    private void create(String steps, boolean isLost) {
        jobs.create(JsonCodec.standard()
                .decode(ResourceTypes.JOBS, new ByteArrayInputStream("""
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default"},
                 "spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}\
                }""".getBytes(StandardCharsets.UTF_8))));
        process.start();
        order.addAll(List.of(steps.trim().split(" +")));
        method = "POST";
        isAnswerLost = isLost;
        process.queue.add(KEY);
        work();
        runUntil("END");
    }

    private boolean work() {
        return !manager.processNextWorkItem().isEmpty();
    }

    /** No minute passes: the job must not wait for a timer. */
    private void settle() {
        for (int second = 0; second < 5; second++) {
            boolean more = true;
            while (more) {
                more = process.deliverAll();
                more |= work();
            }
            clock.advance(Duration.ofSeconds(1)); // syncs after events of pods are put together
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
        create(steps, false);
        settle();
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(running()).as("settled, %s", steps).hasSize(1);
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
        create(steps, true);
        settle();
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(running()).as("settled, %s", steps).hasSize(1);
        assertThat(created).isEqualTo(2);
    }

    /**
     * A suspension removes the finalizer of the pod and deletes it: two events. The job is resumed before the watch
     * of pods has delivered that.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the deletion | pods created when the sync returns
            EVENT  EVENT  ANSWER SYNC                      | 2
            EVENT  ANSWER EVENT  SYNC                      | 2
            EVENT  ANSWER SYNC   EVENT                     | 1
            ANSWER EVENT  EVENT  SYNC                      | 2
            ANSWER EVENT  SYNC   EVENT                     | 1
            ANSWER SYNC   EVENT  EVENT                     | 1
            LIST   ANSWER SYNC                             | 2
            ANSWER LIST   SYNC                             | 2
            ANSWER SYNC   LIST                             | 1
            """)
    void deletion(String steps, int expected) {
        create("ANSWER", false);
        settle();
        assertThat(running()).hasSize(1);
        suspend(true);
        method = "DELETE";
        order.addAll(List.of(steps.trim().split(" +")));
        process.deliverAll();
        work();
        suspend(false);
        manager.jobs.relist();
        runUntil("END");
        settle();
        assertThat(createdBySync).as("created by the sync, %s", steps).isEqualTo(expected);
        assertThat(running()).as("settled, %s", steps).hasSize(1);
        assertThat(created).isEqualTo(2);
    }

    private void suspend(boolean isSuspended) {
        jobs.patch(KEY, Patch.merge("{\"spec\":{\"suspend\":" + isSuspended + "}}"));
        process.worldChanged();
    }
}

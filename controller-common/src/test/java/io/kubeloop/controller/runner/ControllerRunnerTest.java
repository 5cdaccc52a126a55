/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.coordination.LeaseSpecBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServicePortBuilder;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.testing.ThreadLeakCheck;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.SyncHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(ThreadLeakCheck.class)
class ControllerRunnerTest {

    private static final ObjectName LEASE = new ObjectName("default", "tested");
    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final ObjectName COPY = new ObjectName("default", "copy");

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** Keeps the thread of the timer, which all share. Else the check of threads waits for its end after each test. */
    private static final Scheduler.Task TOMORROW = Scheduler.system().schedule(Duration.ofDays(1), () -> {});

    @AfterAll
    static void releaseTimer() {
        TOMORROW.cancel();
    }

    @AfterEach
    void close_always_leavesNoThread() {
        server.close();
        assertThat(threads).noneMatch(Thread::isAlive);
    }

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }

    private ControllerRunner.Builder builder(KubeClient used) {
        return ControllerRunner.builder(used)
                .threads(this::newThread)
                .election(config ->
                        config.withDurations(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(50)));
    }

    /** Returns a controller that syncs each Service. */
    private static Function<ControllerContext, Controller> syncing(
            Function<ControllerContext, SyncHandler<ObjectName>> sync) {
        return context -> {
            SyncHandler<ObjectName> handler = sync.apply(context);
            return ControllerLoop.forKeys(
                    "tested",
                    context,
                    key -> {
                        if (!key.name().equals("kubernetes")) { // the service that every cluster has
                            handler.sync(key);
                        }
                    },
                    context.informers().informer(ResourceTypes.SERVICES));
        };
    }

    private static Service service(ObjectName name) {
        return Service.of(
                ObjectMeta.named(name.namespace(), name.name()),
                ServiceSpecBuilder.builder()
                        .ports(List.of(ServicePortBuilder.builder().port(80).build()))
                        .build());
    }

    private void create(ObjectName name) {
        client.resource(ResourceTypes.SERVICES).create(service(name));
    }

    private boolean exists(ObjectName name) {
        return client.resource(ResourceTypes.SERVICES).list(name.namespace(), ListOptions.NONE).items().stream()
                .anyMatch(found -> found.objectName().equals(name));
    }

    @Test
    void start_anotherProcessLeads_waitsUntilThatReleasesTheLease() {
        create(WEB);
        List<String> synced = new CopyOnWriteArrayList<>();
        ControllerRunner first = builder(client)
                .lease(LEASE)
                .controller(syncing(context -> key -> synced.add("first")))
                .start();
        await().until(() -> synced.equals(List.of("first")));
        AtomicReference<ControllerContext> standby = new AtomicReference<>();
        try (ControllerRunner second = builder(client)
                .lease(LEASE)
                .controller(syncing(context -> {
                    standby.set(context);
                    return key -> synced.add("second");
                }))
                .start()) {
            assertThat(second.isLeading()).isFalse();
            assertThat(standby.get()
                            .informers()
                            .informer(ResourceTypes.SERVICES)
                            .hasSynced())
                    .as("no informer runs before this process leads")
                    .isFalse();
            assertThat(synced).doesNotContain("second");
            assertThat(second.health().readiness()).as("a standby").isEmpty();
            await().until(() -> first.health().readiness().isEmpty());
            first.close();
            assertThat(first.health().liveness()).containsExactly("the runner has ended");
            await().until(() -> synced.contains("second"));
        }
    }

    @Test
    void lostLease_workInProgress_canWriteNoMore() throws InterruptedException {
        create(WEB);
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<RuntimeException> refused = new AtomicReference<>();
        try (ControllerRunner runner = builder(client)
                .lease(LEASE)
                .controller(syncing(context -> key -> {
                    syncing.countDown();
                    goOn.await();
                    try {
                        context.clients()
                                .apply("tested")
                                .resource(ResourceTypes.SERVICES)
                                .create(service(COPY));
                    } catch (RuntimeException e) {
                        refused.set(e);
                    }
                }))
                .start()) {
            syncing.await();
            // The runner may renew the lease meanwhile.
            client.resource(ResourceTypes.LEASES)
                    .edit(
                            LEASE,
                            lease -> lease.withSpec(LeaseSpecBuilder.builder(lease.spec())
                                    .holderIdentity("other")
                                    .build()));
            await().until(() -> !runner.isLeading());
            goOn.countDown();
            assertThatThrownBy(runner::awaitEnd)
                    .isInstanceOf(ControllerException.class)
                    .hasMessage("lost the lease default/tested: it is held by other");
        }
        assertThat(refused.get())
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED));
        assertThat(exists(COPY)).isFalse();
    }

    /** Records the writes of a transport in order. */
    private record RecordedWrites(Transport transport, List<String> writes) implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (!request.method().equals("GET")) {
                writes.add(request.path().replaceFirst(".*/namespaces/default/", ""));
            }
            return transport.execute(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return transport.stream(request);
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    @Test
    void close_ofTheLeader_letsTheLastWritesAndEventsPass_thenReleasesTheLease() throws InterruptedException {
        create(WEB);
        List<String> writes = new CopyOnWriteArrayList<>();
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ControllerRunner runner = builder(client.withTransport(new RecordedWrites(server.transport(), writes)))
                .lease(LEASE)
                .controller(syncing(context -> key -> {
                    if (key.equals(WEB)) {
                        syncing.countDown();
                        goOn.await();
                        KubeClient used = context.clients().apply("tested");
                        Service web = used.resource(ResourceTypes.SERVICES).get(WEB);
                        used.resource(ResourceTypes.SERVICES).create(service(COPY));
                        context.recorders()
                                .apply("tested")
                                .event(ResourceTypes.SERVICES, web, EventType.NORMAL, "Copied", "made a copy");
                    }
                }))
                .start();
        syncing.await();
        Thread closer = newThread(runner::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        closer.join();
        List<String> order = new ArrayList<>(writes);
        order.removeIf(path -> path.startsWith("leases"));
        assertThat(order).containsExactly("services", "events");
        assertThat(writes).endsWith("leases/tested");
        assertThat(client.resource(ResourceTypes.LEASES).get(LEASE).spec().holderIdentity())
                .isEmpty();
        runner.awaitEnd();
    }

    @Test
    void sync_throws_isRetried() {
        create(WEB);
        AtomicInteger calls = new AtomicInteger();
        try (ControllerRunner runner = builder(client)
                .controller(syncing(context -> key -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                }))
                .start()) {
            await().until(() -> calls.get() == 3);
            assertThat(runner.isLeading()).isTrue();
        }
    }

    @Test
    void close_withoutElection_endsTheRightToWrite() throws InterruptedException {
        AtomicReference<ControllerContext> made = new AtomicReference<>();
        ControllerRunner runner = builder(client)
                .controller(syncing(context -> {
                    made.set(context);
                    return key -> {};
                }))
                .start();
        runner.close();
        runner.awaitEnd();
        assertThat(runner.isLeading()).isFalse();
        assertThatThrownBy(() -> made.get()
                        .clients()
                        .apply("tested")
                        .resource(ResourceTypes.SERVICES)
                        .create(service(COPY)))
                .isInstanceOf(TransportException.class);
    }

    @Test
    void start_factoryThrows_isThrown_andNothingIsLeft() {
        List<Controller> closed = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> builder(client)
                        .lease(LEASE)
                        .controller(context -> new Scripted(closed, () -> {}))
                        .controller(context -> {
                            throw new IllegalStateException("no such setting");
                        })
                        .start())
                .hasMessage("no such setting");
        assertThat(closed).hasSize(1);
    }

    @Test
    void start_electionSettingsThrow_isThrown_andNothingIsLeft() {
        List<Controller> closed = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> builder(client)
                        .lease(LEASE)
                        .controller(context -> new Scripted(closed, () -> {}))
                        .election(config -> {
                            throw new IllegalStateException("no such duration");
                        })
                        .start())
                .hasMessage("no such duration");
        assertThat(closed).hasSize(1);
    }

    /** Blocks until the latch opens, whatever interrupts come, and counts them. */
    private static void awaitUninterruptibly(CountDownLatch latch, CountDownLatch interrupts) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                interrupts.countDown();
            }
        }
    }

    private Thread leadingThread() {
        return threads.stream()
                .filter(thread -> thread.getName().endsWith("-leading"))
                .findFirst()
                .orElseThrow();
    }

    private String holder() {
        return String.valueOf(
                client.resource(ResourceTypes.LEASES).get(LEASE).spec().holderIdentity());
    }

    /** The lease belongs to this process until its worker has ended, even if the shutdown timeout has passed. */
    @Test
    void close_whileASyncIgnoresItsInterrupt_keepsTheLeaseUntilTheSyncEnds() throws InterruptedException {
        create(WEB);
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ControllerRunner runner = builder(client)
                .lease(LEASE)
                .shutdownTimeout(Duration.ofMillis(1))
                .controller(syncing(context -> key -> {
                    syncing.countDown();
                    awaitUninterruptibly(goOn, interrupted);
                }))
                .start();
        syncing.await();
        Thread closer = newThread(runner::close);
        closer.start();
        interrupted.await(); // the shutdown timeout has passed
        Thread leading = leadingThread();
        leading.interrupt(); // as the elector does when it stops
        await().until(() -> !runner.isLeading() && leading.getState() == Thread.State.TIMED_WAITING);
        assertThat(holder()).isNotEmpty();
        goOn.countDown();
        closer.join();
        assertThat(holder()).isEmpty();
    }

    @Test
    void start_secondControllerFails_keepsTheLeaseUntilTheFirstHasEnded() throws InterruptedException {
        create(WEB);
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (ControllerRunner runner = builder(client)
                .lease(LEASE)
                .shutdownTimeout(Duration.ofMillis(1))
                .controller(syncing(context -> key -> {
                    syncing.countDown();
                    awaitUninterruptibly(goOn, new CountDownLatch(1));
                }))
                .controller(context -> new Scripted(new CopyOnWriteArrayList<>(), () -> {
                    awaitUninterruptibly(syncing, new CountDownLatch(1));
                    throw new IllegalStateException("cannot start");
                }))
                .start()) {
            assertThatThrownBy(runner::awaitEnd).hasMessage("cannot start");
            assertThat(leadingThread().isAlive())
                    .as("the elector waits for this thread before it releases the lease")
                    .isTrue();
            goOn.countDown();
        }
        assertThat(holder()).isEmpty();
    }

    @Test
    void close_controllerThrows_stopsTheRest() throws InterruptedException {
        List<Controller> closed = new CopyOnWriteArrayList<>();
        ControllerRunner runner = builder(client)
                .lease(LEASE)
                .controller(context -> new Scripted(null, () -> {}))
                .controller(context -> new Scripted(closed, () -> {}))
                .start();
        await().until(runner::isLeading);
        runner.close();
        runner.awaitEnd();
        assertThat(closed).isNotEmpty();
        assertThat(holder()).isEmpty();
    }

    @Test
    void start_withoutControllers_isRejected() {
        assertThatThrownBy(() -> builder(client).start()).isInstanceOf(IllegalArgumentException.class);
    }

    /** A controller whose start runs an action of the test; its shutDown throws if the list is null. */
    private record Scripted(@Nullable List<Controller> closed, Runnable starts) implements Controller {

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public void start(int workers) {
            starts.run();
        }

        @Override
        public void shutDown() {
            Objects.requireNonNull(closed, "scripted").add(this);
        }

        @Override
        public boolean awaitTermination(Duration timeout) {
            return true;
        }
    }

    @Test
    void start_controllerFailsOnceLeading_isReportedByAwaitEnd_andTheLeaseIsReleased() {
        try (ControllerRunner runner = builder(client)
                .lease(LEASE)
                .controller(context -> new Scripted(new CopyOnWriteArrayList<>(), () -> {
                    throw new IllegalStateException("cannot start");
                }))
                .start()) {
            assertThatThrownBy(runner::awaitEnd).hasMessage("cannot start");
        }
        assertThat(client.resource(ResourceTypes.LEASES).get(LEASE).spec().holderIdentity())
                .isEmpty();
    }

    @Test
    void start_controllerFailsWithoutElection_isThrown() {
        assertThatThrownBy(() -> builder(client)
                        .controller(context -> new Scripted(new CopyOnWriteArrayList<>(), () -> {
                            throw new IllegalStateException("cannot start");
                        }))
                        .start())
                .hasMessage("cannot start");
    }

    @Test
    void close_beforeThisProcessLeads_endsTheCandidate() throws InterruptedException {
        try (ControllerRunner leader = builder(client)
                .lease(LEASE)
                .controller(syncing(context -> key -> {}))
                .start()) {
            await().until(leader::isLeading);
            ControllerRunner candidate = builder(client)
                    .lease(LEASE)
                    .controller(syncing(context -> key -> {}))
                    .start();
            candidate.close();
            candidate.close();
            candidate.awaitEnd();
            assertThat(leader.isLeading()).isTrue();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.FakeServer;
import io.kubeloop.cache.fake.MirrorHandler;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.HeldLocks;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One random history: two resources on failing servers, with an informer each; handlers that are added and removed, are
 * slow, throw, or pass keys to a work queue; and the conditions that must hold once the servers are quiet.
 */
final class InformerHistory {

    private static final int STEPS = 160;

    /**
     * A streaming list, the same without a version, a list, the same without a version: no more requests follow without
     * a pause.
     */
    private static final int MOST_FAILURES_AT_ONCE = 5;

    private final Random random;
    private final ManualScheduler scheduler = new ManualScheduler();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final List<Resource> resources = new ArrayList<>();

    /** A server, its informer and its handlers. */
    private final class Resource {

        final FakeServer server;
        final SharedInformer<Thing> informer;
        final Map<MirrorHandler, Registration> handlers = new LinkedHashMap<>();
        final List<MirrorHandler> all = new ArrayList<>();
        final CountDownLatch slowGoesOn = new CountDownLatch(1);
        volatile boolean transformFails;
        boolean transformEverFailed;

        Resource(long seed, InformerConfig config) {
            server = new FakeServer(seed, scheduler::nanoTime);
            informer = SharedInformers.informer(Thing.TYPE, server, config);
            informer.setTransform(this::transform);
            informer.setWatchErrorHandler((name, error) -> {});
        }

        /** Fails sometimes, on objects with certain values. */
        private Thing transform(Thing thing) {
            requireNoLock("a transform");
            if (transformFails && thing.value().endsWith("7")) {
                throw new IllegalStateException("cannot transform " + thing);
            }
            return thing;
        }

        void add(MirrorHandler handler) {
            Registration registration = informer.addHandler(handler);
            handler.registeredAs(registration);
            handlers.put(handler, registration);
            all.add(handler);
        }

        /** A handler that only keeps its copy. */
        MirrorHandler plain() {
            return new MirrorHandler(server::isDeletion);
        }

        /** A handler that throws after each third call (I7). */
        MirrorHandler throwing() {
            return new MirrorHandler(server::isDeletion) {
                private int calls;

                @Override
                public void onUpdate(Thing oldObject, Thing newObject, EventCause cause) {
                    super.onUpdate(oldObject, newObject, cause);
                    if (++calls % 3 == 0) {
                        throw new IllegalStateException("at random");
                    }
                }
            };
        }

        /** A handler whose first call returns only at the end (I7). */
        MirrorHandler slow() {
            return new MirrorHandler(server::isDeletion) {
                @Override
                public void onAdd(Thing object, boolean isInInitialList, EventCause cause) {
                    SharedInformerTest.awaitLatch(slowGoesOn);
                    super.onAdd(object, isInInitialList, cause);
                }
            };
        }

        Map<ObjectName, Thing> contents() {
            Map<ObjectName, Thing> contents = new HashMap<>();
            informer.lister().list().forEach(thing -> contents.put(thing.objectName(), thing));
            return contents;
        }

        /** Returns whether cache and handlers have the server's state. */
        boolean hasArrived(boolean slowOnesToo) {
            Map<ObjectName, Thing> truth = server.objects();
            return informer.hasSynced()
                    && contents().equals(truth)
                    && handlers.keySet().stream()
                            .filter(handler -> slowOnesToo || handler != slowOne)
                            .allMatch(handler -> handler.mirror.equals(truth));
        }

        MirrorHandler slowOne;

        @Override
        public String toString() {
            return "server at " + server.version() + " with " + server.objects() + ", cache " + contents() + ", health "
                    + informer.health() + ", slow "
                    + slowOne.mirror + ", handlers "
                    + handlers.keySet().stream()
                            .map(handler -> handler.mirror + " " + handler.faults())
                            .toList();
        }
    }

    /** A minimal controller: receives keys of both resources, reads both caches, and syncs one key at a time (I3). */
    private final class Controller {

        final RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting("history");
        final Map<ObjectName, String> seen = new ConcurrentHashMap<>();
        final Map<ObjectName, AtomicInteger> inside = new ConcurrentHashMap<>();
        final Worker<ObjectName> worker = Worker.builder(queue, this::sync)
                .threads(2)
                .threadFactory(InformerHistory.this::newThread)
                .start();

        ResourceEventHandler<KubeObject> handler() {
            return ResourceEventHandler.forKeys(queue::add);
        }

        private void sync(ObjectName key) {
            AtomicInteger here = inside.computeIfAbsent(key, absent -> new AtomicInteger());
            if (here.getAndIncrement() != 0) {
                faults.add("two workers have " + key + " in hand");
            }
            seen.put(key, state(key));
            here.decrementAndGet();
        }

        private String state(ObjectName key) {
            return resources.get(0).informer.lister().get(key) + " and "
                    + resources.get(1).informer.lister().get(key);
        }

        /** Returns whether the newest state of every key was synced. */
        boolean hasArrived() {
            return queue.length() == 0
                    && seen.entrySet().stream()
                            .allMatch(entry -> entry.getValue().equals(state(entry.getKey())))
                    && resources.stream()
                            .allMatch(resource -> seen.keySet()
                                    .containsAll(resource.contents().keySet()));
        }
    }

    public InformerHistory(long seed, QueueKind queue, boolean streaming) {
        random = new Random(seed);
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withRandom(() -> 0)
                .withQueue(queue)
                .withStreamingList(streaming)
                .withThreads(this::newThread)
                .withResyncPeriod(Duration.ofSeconds(20));
        resources.add(new Resource(seed, config));
        resources.add(new Resource(~seed, config));
    }

    private Thread newThread(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** Checks now and then whether the thread that runs user code holds a lock (I13). */
    private void requireNoLock(String where) {
        if (Math.floorMod(System.identityHashCode(new Object()), 200) == 0) {
            HeldLocks.ofCurrentThread().forEach(lock -> faults.add(where + " is called under " + lock));
        }
    }

    public void run() throws InterruptedException {
        Controller controller = new Controller();
        for (Resource resource : resources) {
            resource.add(resource.plain());
            resource.add(resource.throwing());
            resource.slowOne = resource.slow();
            resource.add(resource.slowOne);
            resource.informer.addHandler(controller.handler());
            resource.informer.start();
        }
        for (int i = 0; i < STEPS; i++) {
            step(resources.get(random.nextInt(2)));
            let();
        }
        becomeQuiet(controller);
        for (Resource resource : resources) {
            assertThat(resource.informer.health().lastError() instanceof AssertionError)
                    .as("a reflector's state that must not follow")
                    .isFalse();
            resource.informer.close();
        }
        assertThat(controller.worker.stop(Duration.ofSeconds(20))).isTrue();
        checkWhatIsLeft();
    }

    private void step(Resource resource) {
        FakeServer server = resource.server;
        String key = "n" + random.nextInt(2) + "/" + random.nextInt(6);
        switch (random.nextInt(32)) {
            case 0, 1 -> server.dropWatches(true);
            case 2, 3 -> server.dropWatches(false);
            case 4 -> server.trim();
            case 5 -> {
                // Deleted while no watch is open, and trimmed from the history: only a list can reveal it (I2).
                server.dropWatches(random.nextBoolean());
                server.delete(key);
                server.trim();
            }
            case 6, 7, 8, 9, 10, 11 -> server.delete(key);
            case 12, 13, 14 -> scheduler.advance(Duration.ofMillis(random.nextInt(3000)));
            case 15 -> scheduler.advance(Duration.ofSeconds(random.nextInt(45)));
            case 16 -> scheduler.advance(Duration.ofMinutes(11)); // beyond every watch's own deadline
            case 17 -> server.hold(random.nextBoolean());
            case 18 -> server.bookmark();
            case 19 -> {
                resource.transformFails = random.nextBoolean();
                resource.transformEverFailed |= resource.transformFails;
            }
            case 20 -> resource.add(random.nextBoolean() ? resource.plain() : resource.throwing());
            case 21 -> {
                if (resource.handlers.size() > 3) {
                    MirrorHandler leaving = resource.handlers.keySet().stream()
                            .filter(handler -> handler != resource.slowOne)
                            .findFirst()
                            .orElseThrow();
                    resource.handlers.remove(leaving).close();
                }
            }
            case 22, 23 -> catchUp(resource);
            default -> server.put(key, String.valueOf(random.nextInt(1000)));
        }
    }

    /** Yields the processor at random, so the threads meet at random points. */
    private void let() {
        for (int i = random.nextInt(12); i > 8; i--) {
            LockSupport.parkNanos(1);
        }
    }

    /** Lets the informer reach the server's state, if no long delay prevents it. */
    private static void catchUp(Resource resource) {
        for (int i = 0; i < 200; i++) {
            if (resource.informer.health().state() == ReflectorState.BACKING_OFF
                    || resource.informer.lastSyncResourceVersion().equals(String.valueOf(resource.server.version()))) {
                return;
            }
            LockSupport.parkNanos(1);
        }
    }

    private void becomeQuiet(Controller controller) {
        for (Resource resource : resources) {
            resource.transformFails = false;
            resource.server.getWell();
            if (resource.transformEverFailed) {
                // An object on which a transform failed is missing until the next list.
                resource.server.expire();
            }
        }
        settle(() -> resources.stream().allMatch(resource -> resource.hasArrived(false)));
        for (Resource resource : resources) {
            // I7: all other handlers have finished, and the slow one is visible.
            if (!resource.slowOne.mirror.equals(resource.server.objects())) {
                assertThat(resource.handlers.get(resource.slowOne).pending()).isPositive();
            }
            resource.slowGoesOn.countDown();
        }
        settle(() -> resources.stream()
                        .allMatch(resource -> resource.hasArrived(true)
                                && resource.handlers.values().stream().allMatch(Registration::hasSynced))
                && controller.hasArrived());
    }

    private void settle(BooleanSupplier settled) {
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                scheduler.advance(Duration.ofSeconds(1));
                return settled.getAsBoolean();
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not settled: " + resources, e);
        }
    }

    private void checkWhatIsLeft() throws InterruptedException {
        assertThat(faults).isEmpty();
        for (Resource resource : resources) {
            for (MirrorHandler handler : resource.all) {
                assertThat(handler.faults()).isEmpty();
            }
            assertThat(resource.server.openWatches()).as("open watches").isZero();
            assertThat(resource.server.mostFailedAtOnce())
                    .as("failed requests in a row without a pause (I8)")
                    .isLessThanOrEqualTo(MOST_FAILURES_AT_ONCE);
        }
        assertThat(scheduler.waiting()).as("scheduler that are set").isZero();
        for (Thread thread : threads) {
            thread.join(20_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }
}

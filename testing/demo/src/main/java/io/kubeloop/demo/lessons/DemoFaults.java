/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.lessons;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.controlplane.Faults;
import io.kubeloop.controlplane.RequestMatch;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The faults that a viewer of a demo can cause. Some happen once; the others last until {@link #clear}. {@code
 * faults.json} of the live page has their texts.
 *
 * <p>Thread-safe: the fields are volatile, and each is written by one command at a time.
 */
final class DemoFaults {

    private static final Duration SLOW_CALL = Duration.ofSeconds(2);
    private static final Duration SLOW_REQUEST = Duration.ofSeconds(1);
    private static final Duration CUT = Duration.ofSeconds(20);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration STALE = Duration.ofSeconds(8);

    private final Faults server;
    private final SimulatedClock clock;
    private final Map<String, Runnable> causes = new LinkedHashMap<>();
    private final Set<ApiStream> podWatches = ConcurrentHashMap.newKeySet();
    private volatile boolean slowHandler;
    private volatile boolean throwingHandler;
    private volatile boolean slowServer;
    private volatile CountDownLatch delivery = new CountDownLatch(0);
    private volatile String cutManager = "";
    private volatile Instant cutUntil = Instant.MIN;

    /** Returns the manager that leads; empty for none. */
    interface Leader {
        String name();
    }

    /**
     * Creates faults.
     *
     * @param change writes an object, so the versions of all watches but one are old
     */
    DemoFaults(Faults server, SimulatedClock clock, Leader leader, Runnable change) {
        this.server = server;
        this.clock = clock;
        RequestMatch podWatch = RequestMatch.watches(ResourceTypes.PODS)
                .where(request -> FaultyTransport.isObserved() && FaultyTransport.isOfWholeObjects(request));
        RequestMatch podCreation =
                RequestMatch.creates(ResourceTypes.PODS).where(request -> FaultyTransport.isObserved());
        causes.put("end-watch", server::endWatches);
        causes.put("gone", () -> {
            change.run();
            server.compact();
            server.endWatches();
        });
        causes.put("too-many-requests", () -> {
            server.next(podWatch).tooManyRequests(RETRY_AFTER);
            endPodWatches();
        });
        causes.put("stale-cache", () -> {
            CountDownLatch over = new CountDownLatch(1);
            clock.scheduler().schedule(STALE, over::countDown);
            withhold(over);
        });
        causes.put("slow-handler", () -> slowHandler = true);
        causes.put("throwing-handler", () -> throwingHandler = true);
        causes.put("slow-server", () -> slowServer = true);
        causes.put("two-leaders", () -> {
            cutManager = leader.name();
            cutUntil = clock.now().plus(CUT);
        });
        causes.put("lost-answer", () -> server.next(podCreation).loseResponse());
    }

    private void endPodWatches() {
        // A copy, because a client opens its next watch while this ends the others.
        List.copyOf(podWatches).forEach(ApiStream::close);
    }

    /** Withholds the events of pods until this latch opens, and no longer until the one before. */
    private void withhold(CountDownLatch until) {
        CountDownLatch before = delivery;
        delivery = until;
        before.countDown();
    }

    /** Returns the names of the faults. */
    Set<String> names() {
        return causes.keySet();
    }

    /**
     * Causes a fault.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    void cause(String name) {
        Runnable cause = causes.get(name);
        if (cause == null) {
            throw new IllegalArgumentException("there is no fault " + name + "; there are " + names());
        }
        cause.run();
    }

    /** Ends the faults that last, and forgets those that have not happened. */
    void clear() {
        server.clear();
        slowHandler = false;
        throwingHandler = false;
        slowServer = false;
        delivery.countDown();
        cutUntil = Instant.MIN;
    }

    /** Returns the faults that last or have not happened yet, in words. */
    JsonArray active() {
        List<String> names = new ArrayList<>(server.pending());
        add(names, delivery.getCount() > 0, "stale-cache");
        add(names, slowHandler, "slow-handler");
        add(names, throwingHandler, "throwing-handler");
        add(names, slowServer, "slow-server");
        add(names, isCut(), "two-leaders");
        return JsonArray.of(names.stream().<JsonValue>map(JsonString::new).toList());
    }

    private static void add(List<String> names, boolean active, String name) {
        if (active) {
            names.add(name);
        }
    }

    private boolean isCut() {
        return clock.now().isBefore(cutUntil);
    }

    /** Runs in the handler {@code viewer}: slow, throwing, or without effect. */
    void handle() {
        if (slowHandler) {
            await(SLOW_CALL);
        }
        if (throwingHandler) {
            throw new IllegalStateException("the demo makes this handler fail");
        }
    }

    /** Returns the condition of the connection of a manager. */
    FaultyTransport.Condition connection(String manager) {
        return new FaultyTransport.Condition() {
            @Override
            public Duration delay() {
                return slowServer ? SLOW_REQUEST : Duration.ZERO;
            }

            @Override
            public void opened(ApiStream podWatch) {
                podWatches.add(podWatch);
            }

            @Override
            public void closed(ApiStream podWatch) {
                podWatches.remove(podWatch);
            }

            @Override
            public void awaitDelivery() {
                try {
                    while (delivery.getCount() > 0) { // another fault of this kind may begin meanwhile
                        delivery.await();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public boolean losesLease() {
                return manager.equals(cutManager) && isCut();
            }

            @Override
            public void await(Duration delay) {
                DemoFaults.this.await(delay);
            }
        };
    }

    /**
     * Blocks for a time of the demo's clock, in real time at most a minute. An interrupt ends the wait and stays set.
     */
    void await(Duration delay) {
        CountDownLatch over = new CountDownLatch(1);
        clock.scheduler().schedule(delay, over::countDown);
        await(over);
    }

    /** Blocks until the event, at most a minute. */
    private static void await(CountDownLatch event) {
        try {
            var unused = event.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

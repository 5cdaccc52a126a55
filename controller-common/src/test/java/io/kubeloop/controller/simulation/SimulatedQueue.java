/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A work queue in virtual time, for one thread: {@link #get} returns null where a real one would block.
 *
 * @param <T> the type of the items
 */
public final class SimulatedQueue<T> implements RateLimitingQueue<T> {

    private final Clock clock;
    private final Set<T> ready = new LinkedHashSet<>();
    private final Map<T, Instant> waiting = new HashMap<>();
    private final Map<T, Integer> failures = new HashMap<>();

    /** Makes an empty queue. */
    public SimulatedQueue(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void add(T item) {
        ready.add(item);
    }

    @Override
    public void addAfter(T item, Duration delay) {
        if (delay.isZero() || delay.isNegative()) {
            add(item);
        } else {
            waiting.merge(item, clock.instant().plus(delay), (a, b) -> a.isBefore(b) ? a : b);
        }
    }

    @Override
    public void addRateLimited(T item) {
        int before = failures.merge(item, 1, Integer::sum) - 1;
        addAfter(item, Duration.ofMillis(5L << Math.min(before, 17)));
    }

    @Override
    public void forget(T item) {
        failures.remove(item);
    }

    @Override
    public int numRequeues(T item) {
        return failures.getOrDefault(item, 0);
    }

    @Override
    public @Nullable T get() {
        waiting.entrySet().removeIf(entry -> !entry.getValue().isAfter(clock.instant()) && moveToReady(entry.getKey()));
        if (ready.isEmpty()) {
            return null;
        }
        T first = ready.iterator().next();
        ready.remove(first);
        return first;
    }

    /** Takes an item that is due and works on it; returns what came of it, or an empty text if none was due. */
    public String process(Consumer<T> work) {
        T item = get();
        if (item == null) {
            return "";
        }
        try {
            work.accept(item);
            forget(item);
            return "sync";
        } catch (RuntimeException e) {
            addRateLimited(item);
            return "sync failed: " + e.getMessage();
        } finally {
            done(item);
        }
    }

    private boolean moveToReady(T item) {
        ready.add(item);
        return true;
    }

    @Override
    public void done(T item) {}

    @Override
    public int delayed() {
        return waiting.size();
    }

    @Override
    public List<T> dropped() {
        return List.of();
    }

    @Override
    public int length() {
        return ready.size();
    }

    @Override
    public void shutDown() {
        ready.clear();
        waiting.clear();
    }

    @Override
    public void shutDownWithDrain() {
        shutDown();
    }

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public Duration retry(T item) {
        addRateLimited(item);
        return Duration.ZERO;
    }
}

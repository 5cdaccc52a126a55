/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was added, as {@code key} or {@code key after 30s}, and never hands anything out. Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class FakeQueue<T> implements RateLimitingQueue<T> {

    private final List<String> added = new CopyOnWriteArrayList<>();

    /** Returns what was added since the last call, sorted. */
    public List<String> takeAdded() {
        List<String> taken = added.stream().sorted().toList();
        added.clear();
        return taken;
    }

    @Override
    public void add(T item) {
        added.add(item.toString());
    }

    @Override
    public void addAfter(T item, Duration delay) {
        added.add(item + " after " + delay.toSeconds() + "s");
    }

    @Override
    public int delayed() {
        return 0;
    }

    @Override
    public List<T> dropped() {
        return List.of();
    }

    @Override
    public void addRateLimited(T item) {
        added.add(item + " rate limited");
    }

    @Override
    public void forget(T item) {}

    @Override
    public int numRequeues(T item) {
        return 0;
    }

    @Override
    public @Nullable T get() {
        return null;
    }

    @Override
    public void done(T item) {}

    @Override
    public int length() {
        return added.size();
    }

    @Override
    public void shutDown() {}

    @Override
    public void shutDownWithDrain() {}

    @Override
    public boolean isShuttingDown() {
        return true;
    }

    @Override
    public Duration retry(T item) {
        addRateLimited(item);
        return Duration.ZERO;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.NotObservedException;
import io.kubeloop.cache.ResourceVersions;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The threads and the actions that wait until the cache has received a version, such as that of their own write.
 * Thread-safe.
 */
final class VersionWaiters<T extends KubeObject> {

    /*
     * A version of a key is observed in two cases: the store has the key at that version or a later one; or everything
     * up to that version was processed, whatever happened to the key. A change that was lost, because a transform threw
     * or processing failed, counts as processed, although the store receives it only with the next list.
     *
     * No wake-up is lost. A waiting thread is in waits, and an action in actions, before its version is compared; the
     * processing thread changes the store before it reads both, and all three are volatile. An action runs once, by
     * the thread that removes it. While nothing waits, changed() is two reads; it compares only the lowest version of
     * the actions.
     * Any thread may call await(), except the reflector and the processing thread, which would wait for themselves. Any
     * thread calls whenObserved() and close(). The processing and the reflector thread call changed(). No lock.
     */

    private final String informer;
    private final ThreadSafeStore<ObjectName, T> store;
    private final Supplier<String> processedUpTo;
    private final Scheduler scheduler;
    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    private final NavigableMap<Action, Runnable> actions = new ConcurrentSkipListMap<>(
            Comparator.comparing(Action::version, ResourceVersions::compare).thenComparingLong(Action::number));
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    private record Action(String version, long number) {}

    private record Wait(ObjectName key, String version, OneShotLatch done) {}

    /**
     * Makes an empty set. The supplier returns the version up to which everything was processed; empty if it is not
     * known.
     */
    VersionWaiters(
            String informer,
            ThreadSafeStore<ObjectName, T> store,
            Supplier<String> processedUpTo,
            Scheduler scheduler) {
        this.informer = informer;
        this.store = store;
        this.processedUpTo = processedUpTo;
        this.scheduler = scheduler;
    }

    /** Blocks until the version is observed, or for at most this time; see {@link SharedInformer#awaitObserved}. */
    void await(ObjectName key, String version, Duration atMost) throws InterruptedException {
        requireVersion(version, key.toString());
        Wait wait = new Wait(key, version, new OneShotLatch());
        waits.add(wait);
        try {
            if (!isObserved(wait) && !closed) {
                wait.done().await(scheduler, atMost);
            }
        } finally {
            waits.remove(wait);
        }
        if (!isObserved(wait)) {
            throw new NotObservedException(informer + ": " + key + " at version " + version + " was not observed "
                    + (closed ? "before the informer was closed" : "within " + atMost) + ": " + state(key));
        }
    }

    /** Returns whether everything up to the version was processed; see {@link SharedInformer#hasObserved}. */
    boolean hasObserved(String version) {
        return ResourceVersions.isAtLeast(processedUpTo.get(), version);
    }

    /** Runs the action once everything up to the version was processed; see {@link SharedInformer#whenObserved}. */
    void whenObserved(String version, Runnable action) {
        requireVersion(version, "everything");
        Action waiting = new Action(version, numbers.getAndIncrement());
        actions.put(waiting, action);
        if (closed) {
            actions.clear();
        } else if (hasObserved(version)) {
            run(waiting);
        }
    }

    private void run(Action waiting) {
        Runnable action = actions.remove(waiting);
        if (action != null) {
            UserCallbacks.run(action);
        }
    }

    private void requireVersion(String version, String what) {
        if (!ResourceVersions.isVersion(version)) {
            throw new IllegalArgumentException(
                    informer + ": cannot wait for " + what + " at \"" + version + "\": not a resource version");
        }
    }

    private boolean isObserved(Wait wait) {
        T stored = store.getByKey(wait.key());
        return (stored != null && ResourceVersions.isAtLeast(stored.metadata().resourceVersion(), wait.version()))
                || hasObserved(wait.version());
    }

    private String state(ObjectName key) {
        T stored = store.getByKey(key);
        String all = processedUpTo.get();
        return (stored == null
                        ? "the cache does not have it"
                        : "the cache has it at version " + stored.metadata().resourceVersion())
                + (all.isEmpty() ? "" : ", and everything up to version " + all);
    }

    /** Wakes the threads, and runs the actions, whose version has been observed. */
    void changed() {
        if (!waits.isEmpty()) {
            for (Wait wait : waits) {
                if (isObserved(wait)) {
                    wait.done().release();
                }
            }
        }
        Map.Entry<Action, Runnable> first = actions.firstEntry();
        while (first != null && hasObserved(first.getKey().version())) {
            run(first.getKey());
            first = actions.firstEntry();
        }
    }

    /** Wakes all threads and drops all actions. Later calls of {@link #await} do not wait. */
    void close() {
        closed = true;
        actions.clear();
        waits.forEach(wait -> wait.done().release());
    }
}

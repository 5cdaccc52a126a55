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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The threads that wait until the cache has received a version of an object, such as the result of their own write.
 * Thread-safe.
 */
final class VersionWaiters<T extends KubeObject> {

    /*
     * A version of a key is observed in two cases: the store has the key at that version or a later one; or everything
     * up to that version was processed, whatever happened to the key. A change that was lost, because a transform threw
     * or processing failed, counts as processed, although the store receives it only with the next list.
     *
     * No wake-up is lost. A waiting thread is in waits before it reads the store, and the processing thread changes the
     * store before it reads waits; both are volatile. While no thread waits, changed() is one read.
     * Any thread may call await(), except the reflector and the processing thread, which would wait for themselves. The
     * processing and the reflector thread call changed(). Any thread calls close(). There is no lock.
     */

    private final String informer;
    private final ThreadSafeStore<ObjectName, T> store;
    private final Supplier<String> processedUpTo;
    private final Scheduler scheduler;
    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

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
        if (!ResourceVersions.isVersion(version)) {
            throw new IllegalArgumentException(
                    informer + ": cannot wait for " + key + " at \"" + version + "\": not a resource version");
        }
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

    private boolean isObserved(Wait wait) {
        T stored = store.getByKey(wait.key());
        return (stored != null && isAtLeast(stored.metadata().resourceVersion(), wait.version()))
                || isAtLeast(processedUpTo.get(), wait.version());
    }

    private static boolean isAtLeast(String version, String wanted) {
        return version.equals(wanted) || ResourceVersions.isNewer(version, wanted);
    }

    private String state(ObjectName key) {
        T stored = store.getByKey(key);
        String all = processedUpTo.get();
        return (stored == null
                        ? "the cache does not have it"
                        : "the cache has it at version " + stored.metadata().resourceVersion())
                + (all.isEmpty() ? "" : ", and everything up to version " + all);
    }

    /** Wakes the threads whose version has been observed. */
    void changed() {
        if (waits.isEmpty()) {
            return;
        }
        for (Wait wait : waits) {
            if (isObserved(wait)) {
                wait.done().release();
            }
        }
    }

    /** Wakes all threads. Later calls of {@link #await} do not wait. */
    void close() {
        closed = true;
        waits.forEach(wait -> wait.done().release());
    }
}

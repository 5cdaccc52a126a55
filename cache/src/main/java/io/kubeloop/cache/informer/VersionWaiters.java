package io.kubeloop.cache.informer;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.NotObservedException;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.Timers;
import io.kubeloop.cache.runtime.Signal;
import io.kubeloop.cache.store.ResourceVersions;
import io.kubeloop.cache.store.ThreadSafeStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Lets threads wait until the cache has seen a version of an object, such as the one that they have just written. Thread-safe.
 */
final class VersionWaiters<T extends KubeObject> {

    /*
     * Observed is a version of a key if the store has the key at that version or a later one; or if everything up to that
     * version was processed, whatever became of the key: caches follow the server's order (I6). A change that was lost
     * (its transform threw, or processing it failed) counts as processed: the store has it only after the next list.
     *
     * No wake-up is lost: who waits is in waits before it looks at the store, the processing thread changes the store before
     * it looks at waits, and both are volatile. While nobody waits, changed() is one read.
     * await(): any thread, but not those that would have to bring the news: reflector and processing thread. changed():
     * processing and reflector thread. close(): any. There is no lock.
     */

    private final String informer;
    private final ThreadSafeStore<ObjectName, T> store;
    private final Supplier<String> processedUpTo;
    private final Timers timers;
    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private record Wait(ObjectName key, String version, Signal done) {}

    /** The supplier returns up to where everything was processed; empty if that is not known. */
    VersionWaiters(
            String informer, ThreadSafeStore<ObjectName, T> store, Supplier<String> processedUpTo, Timers timers) {
        this.informer = informer;
        this.store = store;
        this.processedUpTo = processedUpTo;
        this.timers = timers;
    }

    /** Blocks until the version was observed; see {@link SharedInformer#awaitObserved}. */
    void await(ObjectName key, String version, Duration atMost) throws InterruptedException {
        if (!ResourceVersions.isVersion(version)) {
            throw new IllegalArgumentException(
                    informer + ": cannot wait for " + key + " at \"" + version + "\": not a resource version");
        }
        Wait wait = new Wait(key, version, new Signal());
        waits.add(wait);
        try {
            if (!isObserved(wait) && !closed) {
                wait.done().await(timers, atMost);
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

    /** Wakes those whose version is there by now. */
    void changed() {
        if (waits.isEmpty()) {
            return;
        }
        for (Wait wait : waits) {
            if (isObserved(wait)) {
                wait.done().fire();
            }
        }
    }

    /** Wakes everybody, for good. */
    void close() {
        closed = true;
        waits.forEach(wait -> wait.done().fire());
    }
}

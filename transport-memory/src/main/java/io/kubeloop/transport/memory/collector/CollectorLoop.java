package io.kubeloop.transport.memory.collector;

import io.kubeloop.transport.memory.machinery.ResourceStore;
import io.kubeloop.transport.memory.registry.ApiBackend;
import io.kubeloop.transport.memory.storage.Bucket;
import io.kubeloop.transport.memory.storage.ChangeFeed;
import io.kubeloop.transport.memory.storage.StoredObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which the server tidies up after deletions: the garbage collector, the namespace cleaner and the keeper of
 * quotas, one after the other, whenever something has been written.
 */
public final class CollectorLoop implements ChangeFeed.Listener, AutoCloseable {

    // C1  Every write is followed by a look at the feed: a writer sets dirty after its write is visible and then
    //     unparks; the loop clears dirty before it looks. Writers never wait for the loop.
    // C2  What collector, namespaces and quotas know of the past is what the feed has told since it last began.
    //
    // Any thread: wake(), close(). The loop's thread: everything else, collector, namespaces and quotas included.

    private static final Logger LOG = LoggerFactory.getLogger(CollectorLoop.class);

    /**
     * Between a write and what follows from it. Upstream's collector hears of a deletion through a watch, when the object's own
     * controller has heard of it as well; one that deleted the pods of a set before would have them replaced by that controller.
     */
    private static final Duration PROPAGATION_DELAY = Duration.ofMillis(50);

    private final Map<String, ResourceStore> stores = new LinkedHashMap<>();
    private final GarbageCollector collector;
    private final NamespaceCleaner namespaces;
    private final QuotaRecounter quotas;
    private final ChangeFeed feed;
    private final Thread thread;
    private volatile boolean dirty = true;
    private volatile boolean closed;

    /**
     * Creates a loop whose thread has not started.
     *
     * @param threads creates the thread of the loop
     */
    public CollectorLoop(ApiBackend backend, ThreadFactory threads) {
        backend.stores().forEach(store -> stores.put(store.bucket().name(), store));
        collector = new GarbageCollector(backend);
        namespaces = new NamespaceCleaner(backend);
        quotas = new QuotaRecounter(backend.quotas());
        feed = new ChangeFeed(
                backend.storage(),
                stores.values().stream().map(ResourceStore::bucket).toList(),
                this);
        thread = threads.newThread(this::run);
        backend.storage().onWrite(this::wake);
    }

    /** Starts the thread. Must be called at most once. */
    public void start() {
        thread.start();
    }

    private void wake() {
        if (!dirty) {
            dirty = true;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            if (!dirty) {
                LockSupport.park(this);
                continue;
            }
            awaitPropagation();
            dirty = false;
            try {
                round();
            } catch (RuntimeException e) {
                // A fault must not end the thread; the next write brings another round.
                LOG.warn("tidying up after a deletion failed", e);
            }
        }
    }

    /** Hears what is new and does what follows from it. */
    void round() {
        feed.poll();
        collector.processPending();
        namespaces.processPending();
        quotas.processPending();
    }

    /** Sleeps for {@link #PROPAGATION_DELAY}, whatever wakes it. */
    private void awaitPropagation() {
        long until = System.nanoTime() + PROPAGATION_DELAY.toNanos();
        for (long left = PROPAGATION_DELAY.toNanos(); left > 0 && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    @Override
    public void onReset() {
        collector.onReset();
        namespaces.onReset();
        quotas.onReset();
    }

    @Override
    public void onUpsert(Bucket bucket, StoredObject object) {
        ObjectId id = id(bucket, object);
        collector.onUpsert(id, object);
        namespaces.onUpsert(id, object);
        quotas.onUpsert(id, object);
    }

    @Override
    public void onDelete(Bucket bucket, StoredObject last) {
        ObjectId id = id(bucket, last);
        collector.onDelete(id, last);
        namespaces.onDelete(id);
        quotas.onDelete(last);
    }

    private ObjectId id(Bucket bucket, StoredObject object) {
        return new ObjectId(Objects.requireNonNull(stores.get(bucket.name())), object.key());
    }

    /** Blocks until the thread is gone. What is left undone stays undone. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

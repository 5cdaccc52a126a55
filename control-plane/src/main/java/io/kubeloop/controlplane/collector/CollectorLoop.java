package io.kubeloop.controlplane.collector;

import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.quota.QuotaLedger;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.storage.Bucket;
import io.kubeloop.apiserver.storage.ChangeFeed;
import io.kubeloop.apiserver.storage.StoredObject;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that follows up on writes: it runs the garbage collector, the namespace cleaner and the quota
 * recounter in turn after every write.
 *
 * <p>{@link #close} blocks; see there.
 */
public final class CollectorLoop implements ChangeFeed.Listener, AutoCloseable {

    // C1  Every write is followed by a poll of the feed. A writer sets dirty after its write is visible and then
    //     unparks the thread; the loop clears dirty before it polls. Writers never wait for the loop.
    // C2  collector, namespaces and quotas know only the changes that the feed has delivered since its last reset.
    //
    // Any thread: wake(), close(). The loop's thread: everything else, including collector, namespaces and quotas.

    private static final Logger LOG = LoggerFactory.getLogger(CollectorLoop.class);

    /**
     * The delay between a write and its follow-up. Upstream's collector learns of a deletion through a watch, at
     * about the same time as the controller of the object. Without the delay, this collector would delete the pods
     * of a deleted set first, and the controller would replace them.
     */
    private static final Duration PROPAGATION_DELAY = Duration.ofMillis(50);

    private final ResourceRegistry registry;
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
    CollectorLoop(ApiBackend backend, ThreadFactory threads) {
        this.registry = backend.registry();
        collector = new GarbageCollector(backend);
        namespaces = new NamespaceCleaner(backend);
        quotas = new QuotaRecounter(ledger(backend));
        feed = new ChangeFeed(backend.storage(), this);
        thread = threads.newThread(this::run);
        backend.storage().onWrite(this::wake);
    }

    /** Starts the follow-up of a server's writes. */
    public static CollectorLoop start(ApiServer server) {
        CollectorLoop loop = new CollectorLoop(server.backend(), server.threads("collector"));
        loop.thread.start();
        return loop;
    }

    private static QuotaLedger ledger(ApiBackend backend) {
        return backend.admission()
                .find(QuotaLedger.class)
                .orElseThrow(() -> new IllegalArgumentException("the server admits nothing by quota"));
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
                // A failure must not end the thread; the next write starts another round.
                LOG.warn("Cannot process the changes of a round; the next write starts another round", e);
            }
        }
    }

    /** Polls the feed and processes the changes. */
    void round() {
        feed.poll();
        collector.processPending();
        namespaces.processPending();
        quotas.processPending();
    }

    /** Waits for {@link #PROPAGATION_DELAY}, regardless of wake-ups. */
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
        ResourceStore store = registry.ofBucket(bucket.name());
        if (store == null) {
            return; // the definition of a custom resource is gone; its objects are deleted before it
        }
        ObjectId id = new ObjectId(store, object.key());
        collector.onUpsert(id, object);
        namespaces.onUpsert(id, object);
        quotas.onUpsert(id, object);
    }

    @Override
    public void onDelete(Bucket bucket, StoredObject last) {
        ResourceStore store = registry.ofBucket(bucket.name());
        if (store == null) {
            return;
        }
        ObjectId id = new ObjectId(store, last.key());
        collector.onDelete(id, last);
        namespaces.onDelete(id);
        quotas.onDelete(last);
    }

    /**
     * Stops the loop. Blocks until its thread has finished the current round and ended; work of later rounds is not
     * done. An interrupt ends the wait, and the interrupt flag stays set.
     */
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

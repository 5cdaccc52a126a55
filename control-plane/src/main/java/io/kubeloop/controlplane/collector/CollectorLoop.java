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
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that follows up on writes: it recalculates quotas after every write.
 *
 * <p>{@link #close} blocks; see there.
 */
public final class CollectorLoop implements ChangeFeed.Listener, AutoCloseable {

    // C1  Every write is followed by a poll of the feed. A writer sets dirty after its write is visible and then
    //     unparks the thread; the loop clears dirty before it polls. Writers never wait for the loop.
    // C2  quotas knows only the changes that the feed has delivered since its last reset.
    //
    // Any thread: wake(), close(). The loop's thread: everything else, including quotas.

    private static final Logger LOG = LoggerFactory.getLogger(CollectorLoop.class);

    /** The delay between a write and its follow-up, which combines the writes of a burst. */
    private static final Duration PROPAGATION_DELAY = Duration.ofMillis(50);

    private final ResourceRegistry registry;
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
                .orElseGet(() -> new QuotaLedger(
                        backend.storage(),
                        backend::stores,
                        Objects.requireNonNull(backend.storeOfKind("v1", "ResourceQuota"), "a server of quotas")));
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
        quotas.onReset();
    }

    @Override
    public void onUpsert(Bucket bucket, StoredObject object) {
        ResourceStore store = registry.ofBucket(bucket.name());
        if (store == null) {
            return; // the definition of a custom resource is gone; its objects are deleted before it
        }
        ObjectId id = new ObjectId(store, object.key());
        quotas.onUpsert(id, object);
    }

    @Override
    public void onDelete(Bucket bucket, StoredObject last) {
        ResourceStore store = registry.ofBucket(bucket.name());
        if (store == null) {
            return;
        }
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

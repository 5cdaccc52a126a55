package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import java.time.Duration;

/**
 * Hands out one informer per resource, and starts and stops them together (upstream:
 * {@code informers.SharedInformerFactory}). Thread-safe.
 */
public interface SharedInformerFactory extends AutoCloseable {

    /** Returns the informer of the resource, made at the first call. */
    <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type);

    /** Starts every informer that was handed out and is not running yet. */
    void start();

    /**
     * Blocks until the caches of all started informers are filled.
     *
     * @throws CacheSyncTimeoutException if the time passes first; names each informer and its last error
     * @throws InterruptedException if interrupted while waiting
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /** Stops every informer and waits for their threads; safe to call twice. */
    @Override
    void close();
}

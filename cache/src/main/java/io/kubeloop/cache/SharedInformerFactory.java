package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import java.time.Duration;
import java.util.List;

/**
 * Hands out one informer per resource and {@link InformerScope}, and starts and stops them together (upstream:
 * {@code informers.SharedInformerFactory}). Thread-safe.
 */
public interface SharedInformerFactory extends AutoCloseable {

    /**
     * Returns the informer of the resource, in the factory's own scope, made at the first call, and anew when somebody has closed
     * it. All who ask share it: closing it is for who knows that nobody else uses it.
     *
     * @throws IllegalStateException if the factory is closed
     */
    <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type);

    /**
     * Returns the informer of these objects of the resource, made at the first call, and anew when somebody has closed it: for
     * those who need fewer objects, or others, than the factory's own scope has. Each scope is a watch and a cache of its own.
     *
     * @throws IllegalStateException if the factory is closed
     */
    <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type, InformerScope scope);

    /** Starts every informer that was handed out and is not running yet. */
    void start();

    /**
     * Blocks until the caches of all started informers are filled. Handlers may lag behind them.
     *
     * @throws CacheSyncTimeoutException if the time passes or an informer is closed first; names each informer, its last
     *     error, and what is likely missing: the RBAC rule if the server refused it, the resource if the server does not know it
     * @throws InterruptedException if interrupted while waiting
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Returns how each informer is doing, in the order in which they were first asked for. One that was closed on its own is
     * listed until the factory is next asked for an informer.
     */
    List<InformerHealth> health();

    /**
     * Stops every informer and waits for their threads, for half a minute each at most; safe to call twice, and from a handler,
     * where it does not wait.
     */
    @Override
    void close();
}

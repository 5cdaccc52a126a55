/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.metrics;

import io.kubeloop.cache.InformerHealth;
import java.time.Duration;

/**
 * Receives measurements of one informer (upstream: {@code cache.InformerMetricsProvider} and the reflector's metrics).
 * Every method does nothing by default. A metrics library reads states, such as the length of the queue, from the
 * {@link InformerHealth} that {@link InformerMetricsProvider#register} receives.
 *
 * <p>The threads that read from the server and fill the cache call these methods. Implementations must be thread-safe
 * and must return quickly. Their exceptions are logged, at most once a minute, and have no further effect.
 * {@code docs/informers.md} lists the usual names of such metrics.
 */
public interface InformerMetrics extends AutoCloseable {

    /** Takes no measurements. */
    InformerMetrics NONE = new InformerMetrics() {};

    /**
     * A whole list arrived, in pages or as a stream.
     *
     * @param objects number of listed objects
     * @param took time from the request to the last object
     */
    default void listed(int objects, Duration took) {}

    /**
     * A watch ended, for any reason.
     *
     * @param events number of events it delivered, bookmarks included
     * @param lasted time from the request to the end
     */
    default void watched(long events, Duration lasted) {}

    /**
     * A batch of changes, or a list, was moved from the queue to the store and to the backlogs of the handlers.
     *
     * @param took the duration of that step, without the calls of the handlers
     */
    default void processed(Duration took) {}

    /**
     * Returns whether {@link #trace} is to be called. Called for every event if {@link InformerMetricsProvider#traces}
     * returns true, so it must cost no more than the read of a volatile field. False by default.
     */
    default boolean isWatched() {
        return false;
    }

    /**
     * An event has reached a stage of the informer. Called on the thread that carries the event, without a lock, while
     * {@link #isWatched} returns true. The informer continues when it returns, so an implementation that blocks slows
     * the informer down.
     */
    default void trace(InformerTrace trace) {}

    /** The informer was closed; its metrics should no longer be exported. */
    @Override
    default void close() {}
}

package io.kubeloop.cache;

import java.time.Duration;

/**
 * Is told what one informer does, to be measured (upstream: {@code cache.InformerMetricsProvider} and the reflector's
 * metrics). Implement what you need. What only has a state, such as how much is queued, is asked of the health that
 * {@link InformerMetricsProvider#register} was given.
 *
 * <p>Called by the threads that read from the server and fill the cache, for the one informer that it was made for: be quick,
 * and thread-safe. What is thrown is logged once and has no further effect. {@code docs/informers.md} has the names under
 * which such metrics are known.
 */
public interface InformerMetrics extends AutoCloseable {

    /** Measures nothing. */
    InformerMetrics NONE = new InformerMetrics() {};

    /** A whole list came, in pages or as a stream. */
    default void listed(int objects, Duration took) {}

    /**
     * A watch ended, in whatever way.
     *
     * @param events how many it brought, bookmarks included
     */
    default void watched(long events, Duration lasted) {}

    /** One or more changes, or a list, were brought from the queue into the store and to the handlers' backlogs. */
    default void processed(Duration took) {}

    /** The informer was closed: it is to vanish from what is exported. */
    @Override
    default void close() {}
}

package io.kubeloop.cache;

/**
 * Is told when an informer's list or watch fails (upstream: {@code cache.WatchErrorHandler}, RE-10).
 *
 * <p>Told is what counts as an error in {@link InformerHealth}: refusals, missing answers, answers without sense, watches that
 * could not be opened. Not told is what happens all the time and needs nobody: a watch that ends, a connection that is lost
 * and made again at once, a version that grew old.
 */
@FunctionalInterface
public interface WatchErrorHandler {

    /**
     * A list or watch failed; it is tried again, with a backoff and without end, unless the informer is closed: here too it may be,
     * by a program that takes 403 for the end of a namespace. Runs on the thread that reads from the server, between
     * two requests: be quick, the next attempt waits. What is thrown is logged and has no further effect.
     *
     * @param informer the informer's name, as in {@link InformerHealth#name()}
     * @param error such as {@link io.kubeloop.api.client.ApiException} or {@link io.kubeloop.api.client.TransportException}
     */
    void onWatchError(String informer, Throwable error);
}

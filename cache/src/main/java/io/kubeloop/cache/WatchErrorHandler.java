/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * Receives the failures of an informer's lists and watches (upstream: {@code cache.WatchErrorHandler}).
 *
 * <p>It receives the failures that {@link InformerHealth} counts as errors: refused requests, requests without a
 * response, malformed responses, and watches that could not be opened. It does not receive normal events: the end of a
 * watch, a connection that is lost and restored at once, or an expired resource version.
 */
@FunctionalInterface
public interface WatchErrorHandler {

    /**
     * A list or watch failed. The informer retries with a backoff until it is closed. This method may close it, for
     * example when 403 means that a namespace is gone.
     *
     * <p>The thread that reads from the server calls this between two requests, so a slow handler delays the next
     * attempt. Exceptions are logged and have no further effect.
     *
     * @param informer the name of the informer, as in {@link InformerHealth#name()}
     * @param error such as {@link io.kubeloop.api.client.ApiException} or
     *     {@link io.kubeloop.api.client.TransportException}
     */
    void onWatchError(String informer, Throwable error);
}

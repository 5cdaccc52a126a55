/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;

/**
 * The list and watch calls that a reflector needs (upstream: {@code cache.ListerWatcher}).
 *
 * <p>An implementation has a fixed namespace and fixed selectors. The options carry versions, paging and time limits.
 * An interrupt must end a blocked call, because an informer uses it to close when the server is silent.
 *
 * @param <T> the type of the objects
 */
public interface ListerWatcher<T> {

    /**
     * Returns one page. Blocks until the whole response has arrived, the options' deadline passes, or the thread is
     * interrupted.
     *
     * @throws ApiException if the server refuses
     * @throws TransportException if no answer came
     */
    KubeList<T> list(ListOptions options);

    /**
     * Opens a watch. Blocks until the server has accepted or rejected it, the options' deadline passes, or the thread
     * is interrupted.
     *
     * @throws ApiException if the server refuses
     * @throws TransportException if no answer came
     */
    WatchStream<T> watch(ListOptions options);
}

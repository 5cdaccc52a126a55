package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;

/**
 * Lists objects and watches them change: all that a reflector needs from the world (upstream:
 * {@code cache.ListerWatcher}).
 *
 * <p>Selectors and namespace are fixed by the implementation; the options carry versions, paging and time-outs. An interrupt
 * ends a call that blocks: that is how an informer is closed whose server is silent.
 *
 * @param <T> the type of the objects
 */
public interface ListerWatcher<T> {

    /**
     * Returns one page. Blocks.
     *
     * @throws ApiException if the server refuses
     * @throws TransportException if no answer came
     */
    KubeList<T> list(ListOptions options);

    /**
     * Opens a watch. Blocks until the server has accepted or refused it.
     *
     * @throws ApiException if the server refuses
     * @throws TransportException if no answer came
     */
    WatchStream<T> watch(ListOptions options);
}

package io.kubeloop.cache.queue;

import java.util.List;

/**
 * Takes what a {@link DeltaQueue} hands out. Called on the thread that pops, never under a lock of the queue.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface DeltaConsumer<K, T> {

    /**
     * Takes changes in their order.
     *
     * @param deltas valid during the call only
     * @param isInInitialList whether they are part of what filled the queue first
     */
    void deltas(List<Delta<K, T>> deltas, boolean isInInitialList);

    /** Takes a whole list: what is stored and not in it is gone (CT-08). */
    void replacedAll(List<T> objects, String resourceVersion, boolean isInInitialList);

    /** Shows every stored object again (CT-09). */
    void syncAll();

    /** Learns that everything up to the version has been handed out (CT-10). */
    void bookmark(String resourceVersion);

    /** Learns that the first list has been handed out and processed; called once. */
    void synced();
}

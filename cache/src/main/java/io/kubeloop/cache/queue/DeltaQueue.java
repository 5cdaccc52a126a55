package io.kubeloop.cache.queue;

import io.kubeloop.cache.KeyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lies between the reflector, which must not wait, and the store with its handlers (upstream: {@code cache.Queue}).
 *
 * <p>Two implementations share one contract: {@link InOrderFifo} hands out every change in the order of the watch, which is
 * what client-go runs today; {@link DeltaFifo} gathers the changes of one key and hands them out together, which is what it
 * ran before 0.33. Both hand out the changes of one key in order (I1), and both turn an object that a list lacks into
 * exactly one deletion, looking at what is queued, being processed and stored (I2).
 *
 * <p>Thread-safe for any number of producers and one consumer.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface DeltaQueue<K, T> {

    /**
     * Queues an object that appeared.
     *
     * @throws KeyException if it has no key; nothing was queued then
     */
    void add(T object);

    /**
     * Queues an object that changed.
     *
     * @throws KeyException if it has no key; nothing was queued then
     */
    void update(T object);

    /**
     * Queues an object that is gone, in its final state.
     *
     * @throws KeyException if it has no key; nothing was queued then
     */
    void delete(T object);

    /**
     * Queues a deletion that nobody saw.
     *
     * @param lastKnown the last state that is known, if any
     */
    void deleteUnseen(K key, @Nullable T lastKnown);

    /**
     * Queues a list: these objects exist and no others.
     *
     * @throws KeyException if one has no key; nothing was queued then
     */
    void replace(List<T> objects, String resourceVersion);

    /** Queues what is stored to be shown again. Never contacts the server. */
    void resync();

    /** Queues the news that everything up to this version has been queued. */
    void bookmark(String resourceVersion);

    /**
     * Hands the oldest changes to the consumer; waits until there are some. One thread at a time.
     *
     * <p>What was handed out is gone from the queue even if the consumer throws, which then comes out here.
     *
     * @return false if the queue is closed and empty
     */
    boolean pop(DeltaConsumer<K, T> consumer);

    /**
     * Returns whether the first list, or the first change if that came before any list, has been handed out and processed;
     * once true, always true (DF-13). A first list on which the consumer threw does not count: the next one does.
     */
    boolean hasSynced();

    /** Returns how many entries wait or are being processed; zero means that the consumer is done with everything. */
    int size();

    /** Lets {@link #pop} hand out the rest and then return false; what is queued later is still handed out. */
    void close();

    /** Returns whether the queue is closed. */
    boolean isClosed();
}

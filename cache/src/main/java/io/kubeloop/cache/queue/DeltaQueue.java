/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import io.kubeloop.cache.KeyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue between the reflector and the thread that writes the store (upstream: {@code cache.Queue}).
 *
 * <p>Two implementations share one contract. {@link RealFifo} delivers every change in the order of the watch, as
 * client-go does today. {@link DeltaFifo} delivers the changes of one key together, as client-go did before 0.33. Both
 * deliver the changes of one key in their order. Both turn an object that is missing from a list into exactly one
 * deletion: they compare the list with the queued, processed and stored objects.
 *
 * <p>Thread-safe for any number of producers and one consumer.
 *
 * <p>Blocking: with {@link RealFifo}, {@link #add}, {@link #update}, {@link #delete}, {@link #deleteUnseen},
 * {@link #replace} and {@link #bookmark} block while the consumer is processing and 2,000 entries are queued. They wait
 * without a time limit until the consumer returns or the queue is closed. The consumer itself, {@link #resync}, and
 * every method of a {@link DeltaFifo} never wait for space. {@link #pop} blocks until there is an entry. An interrupt
 * does not end these waits; the interrupt flag stays set.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface DeltaQueue<K, T> {

    /**
     * Queues an object that was added. May block, see above.
     *
     * @throws KeyException if it has no key; nothing is queued then
     */
    void add(T object);

    /**
     * Queues an object that was changed. May block, see above.
     *
     * @throws KeyException if it has no key; nothing is queued then
     */
    void update(T object);

    /**
     * Queues an object that was deleted, in its final state. May block, see above.
     *
     * @throws KeyException if it has no key; nothing is queued then
     */
    void delete(T object);

    /**
     * Queues a deletion that no watch observed. May block, see above.
     *
     * @param lastKnown the last known state, if any
     */
    void deleteUnseen(K key, @Nullable T lastKnown);

    /**
     * Queues a list: exactly these objects exist. May block, see above.
     *
     * @throws KeyException if one has no key; nothing is queued then
     */
    void replace(List<T> objects, String resourceVersion);

    /** Queues a resync: every stored object is passed on again. Never blocks, and never contacts the server. */
    void resync();

    /** Queues a bookmark: everything up to this version has been queued. May block, see above. */
    void bookmark(String resourceVersion);

    /**
     * Passes the oldest entries to the consumer. Blocks until there are some, or the queue is closed. Only one thread
     * may call this.
     *
     * <p>The entries have left the queue even if the consumer throws. Its exception leaves this method.
     *
     * @return false if the queue is closed and empty
     */
    boolean pop(DeltaConsumer<K, T> consumer);

    /**
     * Returns whether the first list has been delivered and processed. Once true, always true. A change that is queued
     * before any list makes this true at once, because there is no first list to wait for. If the consumer throws on
     * the first list, the next list takes its place.
     */
    boolean hasSynced();

    /**
     * Returns the number of entries that wait or are being processed. Zero means that the consumer has processed
     * everything.
     */
    int size();

    /**
     * Closes the queue: {@link #pop} delivers the remaining entries, then returns false. Entries that are queued later
     * are still delivered. Waiting producers go on.
     */
    void close();

    /** Returns whether the queue is closed. */
    boolean isClosed();
}

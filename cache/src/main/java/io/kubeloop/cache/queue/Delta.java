/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change that the reflector passes to the store (upstream: {@code cache.Delta}). Immutable. An instance with three
 * fields takes 24 bytes; a fourth field would make it 32.
 *
 * @param type what happened
 * @param key the object's key
 * @param object the state after the change, or the last state of a deleted object; null only if that is unknown
 * @param <K> the type of the key
 * @param <T> the type of the object
 */
public record Delta<K, T>(DeltaType type, K key, @Nullable T object) implements QueueEntry<K, T> {

    /** Rejects a change without an object, unless it is a concluded deletion. */
    public Delta {
        if (object == null && type != DeltaType.DELETED_UNSEEN) {
            throw new IllegalArgumentException(type + " of " + key + " without an object");
        }
    }

    static <K, T> Delta<K, T> of(DeltaType type, K key, T object) {
        return new Delta<>(type, key, object);
    }

    /** Returns a deletion that a list revealed and no watch observed. */
    static <K, T> Delta<K, T> tombstone(K key, @Nullable T lastKnown) {
        return new Delta<>(DeltaType.DELETED_UNSEEN, key, lastKnown);
    }

    public boolean isDeletion() {
        return type == DeltaType.DELETED || type == DeltaType.DELETED_UNSEEN;
    }

    /** Returns whether a deletion was concluded from a list, so the state may be stale. */
    public boolean finalStateUnknown() {
        return type == DeltaType.DELETED_UNSEEN;
    }

    /** Returns the object of a change that is not a deletion. */
    public T present() {
        return Objects.requireNonNull(object, "object");
    }
}

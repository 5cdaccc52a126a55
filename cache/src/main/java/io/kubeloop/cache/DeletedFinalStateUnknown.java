package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * An object that disappeared while no watch was open: a later list no longer has it (a tombstone, upstream:
 * {@code cache.DeletedFinalStateUnknown}).
 *
 * @param name the key of the object; always correct
 * @param lastKnown the last state that the cache had, which may be stale; null if none is known
 * @param <T> the type of the object
 */
public record DeletedFinalStateUnknown<T>(
        ObjectName name, @Nullable T lastKnown) implements DeletedObject<T> {}

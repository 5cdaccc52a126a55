package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The object disappeared while nobody watched: found missing by a later list (upstream:
 * {@code cache.DeletedFinalStateUnknown}, KEY-07).
 *
 * @param name the key; always right
 * @param lastKnown the last state seen, which may be stale; null if none is known
 * @param <T> the type of the object
 */
public record DeletedFinalStateUnknown<T>(
        ObjectName name, @Nullable T lastKnown) implements DeletedObject<T> {}

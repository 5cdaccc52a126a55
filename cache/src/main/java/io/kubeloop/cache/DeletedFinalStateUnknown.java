/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * A tombstone: the deletion of an object that disappeared while no watch was open, so only a later list revealed
 * it (upstream: {@code cache.DeletedFinalStateUnknown}).
 *
 * @param name the key of the object; always correct
 * @param lastKnown the last state that the cache had, which may be stale; null if none is known
 * @param <T> the type of the object
 */
public record DeletedFinalStateUnknown<T>(
        ObjectName name, @Nullable T lastKnown) implements DeletedObject<T> {}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * A deletion, as a handler receives it: either observed by a watch, or concluded from a list.
 *
 * @param <T> the type of the object
 */
public sealed interface DeletedObject<T> permits DeletedObject.Observed, DeletedFinalStateUnknown {

    /** Returns the key of the deleted object. */
    ObjectName name();

    /** Returns the last known state: the final state if the deletion was observed; null if no state is known. */
    @Nullable
    T lastKnown();

    /**
     * A deletion that a watch observed, so the state is final.
     *
     * @param name the key of the object
     * @param object the final state
     * @param <T> the type of the object
     */
    record Observed<T>(ObjectName name, T object) implements DeletedObject<T> {

        @Override
        public T lastKnown() {
            return object;
        }
    }
}

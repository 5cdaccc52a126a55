package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * What a handler learns of a deletion.
 *
 * @param <T> the type of the object
 */
public sealed interface DeletedObject<T> permits DeletedObject.Observed, DeletedFinalStateUnknown {

    /** Returns the key of the deleted object. */
    ObjectName name();

    /** Returns the last state that is known: the final one if it was observed; null if none is known at all. */
    @Nullable
    T lastKnown();

    /**
     * The deletion was seen: the state is the final one.
     *
     * @param name the key
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

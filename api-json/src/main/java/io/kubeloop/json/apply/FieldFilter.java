package io.kubeloop.json.apply;

import java.util.List;

/**
 * Selects the fields that an endpoint can change; the others keep their owners (upstream: {@code fieldpath.Filter}).
 * Implementations must be thread-safe and must not block.
 */
@FunctionalInterface
public interface FieldFilter {

    /** Keeps every field. */
    FieldFilter ALL = set -> set;

    /** Returns the fields of the set that the endpoint can change. */
    FieldSet apply(FieldSet set);

    /**
     * Returns the filter that keeps these fields and everything below them.
     *
     * @param path the names of the fields on the way; {@code *} stands for each element of a list
     */
    static FieldFilter including(String... path) {
        return set -> set.startingWith(List.of(path));
    }

    /** Returns the filter that keeps what one of two filters keeps. */
    default FieldFilter or(FieldFilter other) {
        return set -> apply(set).union(other.apply(set));
    }

    /** Returns the filter that excludes these fields and everything below them. */
    static FieldFilter excluding(FieldSet excluded) {
        return excluded.isEmpty() ? ALL : set -> set.recursiveDifference(excluded);
    }
}

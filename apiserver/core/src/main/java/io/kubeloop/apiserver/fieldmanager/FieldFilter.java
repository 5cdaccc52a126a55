/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

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

    /** Returns the filter that excludes these fields and everything below them. */
    static FieldFilter excluding(FieldSet excluded) {
        return excluded.isEmpty() ? ALL : set -> set.recursiveDifference(excluded);
    }
}

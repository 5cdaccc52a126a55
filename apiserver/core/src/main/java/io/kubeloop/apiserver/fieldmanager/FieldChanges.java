/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonValue;

/**
 * The fields in which two states of an object differ (upstream: {@code typed.Comparison}). No field is in two of the
 * sets.
 *
 * @param removed the fields that only the old state has
 * @param modified the fields whose values differ
 * @param added the fields that only the new state has
 */
record FieldChanges(FieldSet removed, FieldSet modified, FieldSet added) {

    /**
     * Compares two states. O(the parts that are not identical in both).
     *
     * @throws ApplyException if a state does not fit the type
     */
    static FieldChanges between(JsonValue old, JsonValue next, TypeSchema type) {
        SchemaErrors errors = new SchemaErrors();
        FieldChanges changes = new ChangeWalk(errors).compare(old, next, type);
        if (!errors.isEmpty()) {
            throw ApplyException.failed("failed to compare objects: " + errors);
        }
        return changes;
    }

    boolean isEmpty() {
        return removed.isEmpty() && modified.isEmpty() && added.isEmpty();
    }

    /** Returns the fields that the new state sets: modified and added ones. */
    FieldSet written() {
        return modified.union(added);
    }

    FieldChanges filtered(FieldFilter filter) {
        return isEmpty() ? this : new FieldChanges(filter.apply(removed), filter.apply(modified), filter.apply(added));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A reference from a dependent object to its owner (upstream: {@code metav1.OwnerReference}).
 *
 * @param apiVersion the owner's group and version, such as {@code apps/v1}
 * @param kind the owner's kind
 * @param name the owner's name, in the dependent's namespace
 * @param uid the owner's UID; it prevents that a new owner of the same name inherits the dependents
 * @param controller whether this owner manages the object; null means no
 * @param blockOwnerDeletion whether foreground deletion of the owner waits for this object; null means no
 * @param unknownFields all other fields
 */
@RecordBuilder
public record OwnerReference(
        String apiVersion,
        String kind,
        String name,
        String uid,
        @Nullable Boolean controller,
        @Nullable Boolean blockOwnerDeletion,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public OwnerReference {
        apiVersion = Values.orEmpty(apiVersion);
        kind = Values.orEmpty(kind);
        name = Values.orEmpty(name);
        uid = Values.orEmpty(uid);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns whether this owner is the controller. An absent flag means no. */
    public boolean isController() {
        return Boolean.TRUE.equals(controller);
    }
}

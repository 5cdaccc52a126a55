/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Options of a delete (upstream: {@code metav1.DeleteOptions}). Null means "not sent".
 *
 * @param gracePeriodSeconds seconds until the removal; 0 removes at once
 * @param propagationPolicy the treatment of dependents
 * @param preconditionUid the UID that the object must have, or the server rejects the request
 * @param preconditionResourceVersion the resource version that the object must have, or the server rejects the
 *     request
 */
@RecordBuilder
public record DeleteOptions(
        @Nullable Long gracePeriodSeconds,
        @Nullable PropagationPolicy propagationPolicy,
        @Nullable String preconditionUid,
        @Nullable String preconditionResourceVersion) {

    /** The treatment of the dependents of a deleted object. */
    public enum PropagationPolicy {
        /** The garbage collector removes the owner reference of the dependents. */
        ORPHAN("Orphan"),
        /** The garbage collector deletes the dependents after the owner. */
        BACKGROUND("Background"),
        /** The garbage collector deletes the dependents before the owner. */
        FOREGROUND("Foreground");

        private final String wire;

        PropagationPolicy(String wire) {
            this.wire = wire;
        }

        /** Returns the name on the wire. */
        public String wire() {
            return wire;
        }
    }

    /** The server's defaults. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(null, null, null, null);
}

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

    /** The treatment of the objects that a deleted object owns. */
    public enum PropagationPolicy {
        /** The garbage collector removes their reference to the owner. */
        ORPHAN("Orphan"),
        /** The garbage collector deletes them after the owner. */
        BACKGROUND("Background"),
        /** The garbage collector deletes them before the owner. */
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

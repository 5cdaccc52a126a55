package io.kubeloop.api.client;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Options of a delete (upstream: {@code metav1.DeleteOptions}). Null means "not sent".
 *
 * @param gracePeriodSeconds seconds until removal; 0 removes at once
 * @param propagationPolicy what becomes of dependents
 * @param preconditionUid delete only the object with this UID
 * @param preconditionResourceVersion delete only this version
 */
@RecordBuilder
public record DeleteOptions(
        @Nullable Long gracePeriodSeconds,
        @Nullable PropagationPolicy propagationPolicy,
        @Nullable String preconditionUid,
        @Nullable String preconditionResourceVersion) {

    /** What becomes of the objects that a deleted object owns. */
    public enum PropagationPolicy {
        /** Their reference to the owner is removed. */
        ORPHAN("Orphan"),
        /** They are deleted after the owner. */
        BACKGROUND("Background"),
        /** They are deleted before the owner. */
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

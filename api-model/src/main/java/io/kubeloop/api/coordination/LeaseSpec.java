package io.kubeloop.api.coordination;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a lease (upstream: {@code coordination.k8s.io/v1.LeaseSpec}).
 *
 * @param holderIdentity who holds it; null or empty: nobody
 * @param leaseDurationSeconds seconds without renewal after which others may take it
 * @param acquireTime since when the holder has it
 * @param renewTime when the holder last renewed it
 * @param leaseTransitions how often the holder changed
 * @param unknownFields everything else
 */
@RecordBuilder
public record LeaseSpec(
        @Nullable String holderIdentity,
        @Nullable Integer leaseDurationSeconds,
        @Nullable MicroTime acquireTime,
        @Nullable MicroTime renewTime,
        @Nullable Integer leaseTransitions,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final LeaseSpec EMPTY = LeaseSpecBuilder.builder().build();

    /** Null means the zero value. */
    public LeaseSpec {
        unknownFields = Values.orNone(unknownFields);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.coordination;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a lease, and the times of its claim (upstream: {@code coordination.k8s.io/v1.LeaseSpec}).
 *
 * @param holderIdentity the holder; null or empty means none
 * @param leaseDurationSeconds seconds without renewal after which another candidate can acquire it
 * @param acquireTime when the holder acquired it
 * @param renewTime when the holder last renewed it
 * @param leaseTransitions the number of changes of the holder
 * @param unknownFields all other fields
 */
@WithMethods
public record LeaseSpec(
        @Nullable String holderIdentity,
        @Nullable Integer leaseDurationSeconds,
        @Nullable MicroTime acquireTime,
        @Nullable MicroTime renewTime,
        @Nullable Integer leaseTransitions,
        UnknownFields unknownFields)
        implements LeaseSpecBuilder.With {

    /** Every field absent. */
    public static final LeaseSpec EMPTY = LeaseSpecBuilder.builder().build();

    /** Null means the zero value. */
    public LeaseSpec {
        unknownFields = Values.orNone(unknownFields);
    }
}

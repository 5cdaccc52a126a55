/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.coordination;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A claim that its holder renews while it is alive (upstream: {@code coordination.k8s.io/v1.Lease}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the holder and the times of the claim
 * @param unknownFields all other fields
 */
@WithMethods
public record Lease(ObjectMeta metadata, LeaseSpec spec, UnknownFields unknownFields)
        implements KubeObject, LeaseBuilder.With {

    /** Null means the zero value. */
    public Lease {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? LeaseSpec.EMPTY : spec;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Lease of(ObjectMeta metadata, LeaseSpec spec) {
        return new Lease(metadata, spec, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Lease withMetadata(ObjectMeta metadata) {
        return new Lease(metadata, spec, unknownFields);
    }
}

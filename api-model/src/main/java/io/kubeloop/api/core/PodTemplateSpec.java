/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * The form of the pods that a controller creates (upstream: {@code core/v1.PodTemplateSpec}).
 *
 * @param metadata labels, annotations and finalizers of the pods
 * @param spec the containers of the pods
 * @param unknownFields all other fields
 */
@WithMethods
public record PodTemplateSpec(ObjectMeta metadata, PodSpec spec, UnknownFields unknownFields)
        implements PodTemplateSpecBuilder.With {

    /** Every field absent. */
    public static final PodTemplateSpec EMPTY = PodTemplateSpecBuilder.builder().build();

    /** Null means the zero value. */
    public PodTemplateSpec {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? PodSpec.EMPTY : spec;
        unknownFields = Values.orNone(unknownFields);
    }
}

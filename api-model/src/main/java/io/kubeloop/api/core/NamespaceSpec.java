/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;

/**
 * The finalizers of a namespace (upstream: {@code core/v1.NamespaceSpec}).
 *
 * @param finalizers names that delay the removal of a terminating namespace until the list is empty
 * @param unknownFields all other fields
 */
@WithMethods
public record NamespaceSpec(List<String> finalizers, UnknownFields unknownFields) implements NamespaceSpecBuilder.With {

    /** Every field absent. */
    public static final NamespaceSpec EMPTY = NamespaceSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public NamespaceSpec {
        finalizers = Values.orEmpty(finalizers);
        unknownFields = Values.orNone(unknownFields);
    }
}

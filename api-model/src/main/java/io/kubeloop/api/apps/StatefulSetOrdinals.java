/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The numbers of the pods of a StatefulSet (upstream: {@code apps/v1.StatefulSetOrdinals}).
 *
 * @param start the number of the first pod, at least 0
 * @param unknownFields all other fields
 */
@RecordBuilder
public record StatefulSetOrdinals(
        @JsonMember(omitZero = true) int start, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public StatefulSetOrdinals {
        unknownFields = Values.orNone(unknownFields);
    }
}

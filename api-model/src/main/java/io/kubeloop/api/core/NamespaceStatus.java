/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.Condition;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The phase of a namespace, and the reasons why a deleted namespace still exists (upstream: {@code
 * core/v1.NamespaceStatus}).
 *
 * @param phase {@code Active} or {@code Terminating}
 * @param conditions the state of a deletion, such as {@code NamespaceContentRemaining}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record NamespaceStatus(String phase, List<Condition> conditions, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final NamespaceStatus EMPTY = NamespaceStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public NamespaceStatus {
        phase = Values.orEmpty(phase);
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}

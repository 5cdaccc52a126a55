package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The phase of a namespace (upstream: {@code core/v1.NamespaceStatus}).
 *
 * @param phase {@code Active} or {@code Terminating}
 * @param unknownFields everything else
 */
@RecordBuilder
public record NamespaceStatus(String phase, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final NamespaceStatus EMPTY = NamespaceStatusBuilder.builder().build();

    /** Null means the zero value. */
    public NamespaceStatus {
        phase = Values.orEmpty(phase);
        unknownFields = Values.orNone(unknownFields);
    }
}

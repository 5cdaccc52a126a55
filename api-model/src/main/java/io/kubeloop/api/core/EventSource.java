/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The reporter of an event (upstream: {@code core/v1.EventSource}).
 *
 * @param component the program
 * @param host the node on which it runs
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EventSource(String component, String host, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final EventSource EMPTY = EventSourceBuilder.builder().build();

    /** Null means the zero value. */
    public EventSource {
        component = Values.orEmpty(component);
        host = Values.orEmpty(host);
        unknownFields = Values.orNone(unknownFields);
    }
}

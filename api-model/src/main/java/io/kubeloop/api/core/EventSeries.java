/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A series of repeated events (upstream: {@code core/v1.EventSeries}).
 *
 * @param count the number of occurrences up to the last report
 * @param lastObservedTime the time of the last occurrence
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EventSeries(
        @JsonMember(omitZero = true) int count, @Nullable MicroTime lastObservedTime, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public EventSeries {
        unknownFields = Values.orNone(unknownFields);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * A report of something that happened to an object (upstream: {@code core/v1.Event}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param involvedObject the object of the report
 * @param reason for programs, in CamelCase
 * @param message for people
 * @param source the reporter
 * @param firstTimestamp the time of the first occurrence
 * @param lastTimestamp the time of the last occurrence
 * @param count the number of occurrences
 * @param type {@code Normal} or {@code Warning}
 * @param eventTime when it was first seen; set by newer reporters
 * @param series the series of repeated events; null if it happened once
 * @param action the action that was taken or failed
 * @param related a second object that is involved
 * @param reportingController the controller that reports ({@code reportingComponent} on the wire)
 * @param reportingInstance the instance of the reporting controller
 * @param unknownFields all other fields
 */
@WithMethods
public record Event(
        ObjectMeta metadata,
        ObjectReference involvedObject,
        String reason,
        @JsonMember(shared = false) String message,
        EventSource source,
        @Nullable Time firstTimestamp,
        @Nullable Time lastTimestamp,
        @JsonMember(omitZero = true) int count,
        String type,
        @Nullable MicroTime eventTime,
        @Nullable EventSeries series,
        String action,
        @Nullable ObjectReference related,
        @JsonMember(name = "reportingComponent") String reportingController,
        String reportingInstance,
        UnknownFields unknownFields)
        implements KubeObject, EventBuilder.With {

    /** Null means the zero value. */
    public Event {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        involvedObject = involvedObject == null ? ObjectReference.EMPTY : involvedObject;
        reason = Values.orEmpty(reason);
        message = Values.orEmpty(message);
        source = source == null ? EventSource.EMPTY : source;
        type = Values.orEmpty(type);
        action = Values.orEmpty(action);
        reportingController = Values.orEmpty(reportingController);
        reportingInstance = Values.orEmpty(reportingInstance);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Event of(
            ObjectMeta metadata,
            ObjectReference involvedObject,
            String reason,
            String message,
            EventSource source,
            @Nullable Time firstTimestamp,
            @Nullable Time lastTimestamp,
            int count,
            String type,
            @Nullable MicroTime eventTime,
            @Nullable EventSeries series,
            String action,
            @Nullable ObjectReference related,
            String reportingController,
            String reportingInstance) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                source,
                firstTimestamp,
                lastTimestamp,
                count,
                type,
                eventTime,
                series,
                action,
                related,
                reportingController,
                reportingInstance,
                UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Event withMetadata(ObjectMeta metadata) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                source,
                firstTimestamp,
                lastTimestamp,
                count,
                type,
                eventTime,
                series,
                action,
                related,
                reportingController,
                reportingInstance,
                unknownFields);
    }
}

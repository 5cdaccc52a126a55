package io.kubeloop.api.events;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSeries;
import io.kubeloop.api.core.EventSource;
import org.jspecify.annotations.Nullable;

/**
 * A report of something that happened to an object, in the newer form (upstream: {@code events.k8s.io/v1.Event}). The
 * server stores one object, and serves it in this form and as the core group's {@link Event}.
 *
 * @param metadata name, namespace, labels and the rest
 * @param eventTime the time of the first occurrence; the server requires it
 * @param series the series of repeated events; null if it happened once
 * @param reportingController the reporting controller, a qualified name such as {@code example.com/scaler}
 * @param reportingInstance the instance of the reporting controller
 * @param action the action that was taken or failed, for programs
 * @param reason the reason for programs, in CamelCase
 * @param regarding the object of the report
 * @param related a second object that is involved
 * @param note the description for people, at most 1024 bytes
 * @param type {@code Normal} or {@code Warning}
 * @param deprecatedSource the reporter; set by older reporters
 * @param deprecatedFirstTimestamp the time of the first occurrence; set by older reporters
 * @param deprecatedLastTimestamp the time of the last occurrence; set by older reporters
 * @param deprecatedCount the number of occurrences; set by older reporters
 * @param unknownFields everything else
 */
@WithMethods
public record EventsV1Event(
        ObjectMeta metadata,
        @Nullable MicroTime eventTime,
        @Nullable EventSeries series,
        String reportingController,
        String reportingInstance,
        String action,
        String reason,
        ObjectReference regarding,
        @Nullable ObjectReference related,
        @JsonMember(shared = false) String note,
        String type,
        EventSource deprecatedSource,
        @Nullable Time deprecatedFirstTimestamp,
        @Nullable Time deprecatedLastTimestamp,
        int deprecatedCount,
        UnknownFields unknownFields)
        implements KubeObject, EventsV1EventBuilder.With {

    /** Null means the zero value. */
    public EventsV1Event {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        reportingController = Values.orEmpty(reportingController);
        reportingInstance = Values.orEmpty(reportingInstance);
        action = Values.orEmpty(action);
        reason = Values.orEmpty(reason);
        regarding = regarding == null ? ObjectReference.EMPTY : regarding;
        note = Values.orEmpty(note);
        type = Values.orEmpty(type);
        deprecatedSource = deprecatedSource == null ? EventSource.EMPTY : deprecatedSource;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a copy with this metadata. */
    @Override
    public EventsV1Event withMetadata(ObjectMeta metadata) {
        return EventsV1EventBuilder.builder(this).metadata(metadata).build();
    }
}

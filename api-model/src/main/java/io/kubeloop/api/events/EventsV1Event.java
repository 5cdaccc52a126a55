package io.kubeloop.api.events;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSeries;
import io.kubeloop.api.core.EventSource;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A report of something that happened to an object, in the newer form (upstream: {@code events.k8s.io/v1.Event}). The server
 * keeps it as the same object as the core group's {@link Event} and shows it in both forms.
 *
 * @param metadata name, namespace, labels and the rest
 * @param eventTime when it was first seen; the server refuses an event without it
 * @param series how often it has been seen since; null: it happened once
 * @param reportingController who reports, a qualified name such as {@code example.com/scaler}
 * @param reportingInstance which instance of it reports
 * @param action what was done or failed, for programs
 * @param reason why, for programs, in CamelCase
 * @param regarding the object that it is about
 * @param related a second object that took part
 * @param note for people; of 1024 bytes at most
 * @param type {@code Normal} or {@code Warning}
 * @param deprecatedSource who reports, by older reporters
 * @param deprecatedFirstTimestamp when it was first seen, by older reporters
 * @param deprecatedLastTimestamp when it was last seen, by older reporters
 * @param deprecatedCount how often it was seen, by older reporters
 * @param unknownFields everything else
 */
@RecordBuilder
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
        implements KubeObject {

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

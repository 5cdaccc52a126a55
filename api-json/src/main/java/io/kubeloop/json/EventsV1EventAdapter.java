package io.kubeloop.json;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.EventSeries;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.api.events.EventsV1Event;

/** {@link EventsV1Event}. */
final class EventsV1EventAdapter extends ObjectAdapter<EventsV1Event> {

    static final EventsV1EventAdapter INSTANCE = new EventsV1EventAdapter();

    private EventsV1EventAdapter() {
        super(
                "metadata",
                "eventTime",
                "series",
                "reportingController",
                "reportingInstance",
                "action",
                "reason",
                "regarding",
                "related",
                "note",
                "type",
                "deprecatedSource",
                "deprecatedFirstTimestamp",
                "deprecatedLastTimestamp",
                "deprecatedCount");
    }

    @Override
    protected EventsV1Event read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        MicroTime eventTime = null;
        EventSeries series = null;
        String reportingController = "";
        String reportingInstance = "";
        String action = "";
        String reason = "";
        ObjectReference regarding = ObjectReference.EMPTY;
        ObjectReference related = null;
        String note = "";
        String type = "";
        EventSource deprecatedSource = EventSource.EMPTY;
        Time deprecatedFirstTimestamp = null;
        Time deprecatedLastTimestamp = null;
        int deprecatedCount = 0;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "eventTime" -> eventTime = in.microTime();
                case "series" -> series = in.nullable(EventSeriesAdapter.INSTANCE);
                case "reportingController" -> reportingController = in.sharedString();
                case "reportingInstance" -> reportingInstance = in.sharedString();
                case "action" -> action = in.sharedString();
                case "reason" -> reason = in.sharedString();
                case "regarding" -> regarding = in.value(ObjectReferenceAdapter.INSTANCE);
                case "related" -> related = in.nullable(ObjectReferenceAdapter.INSTANCE);
                case "note" -> note = in.string();
                case "type" -> type = in.sharedString();
                case "deprecatedSource" -> deprecatedSource = in.value(EventSourceAdapter.INSTANCE);
                case "deprecatedFirstTimestamp" -> deprecatedFirstTimestamp = in.time();
                case "deprecatedLastTimestamp" -> deprecatedLastTimestamp = in.time();
                case "deprecatedCount" -> deprecatedCount = in.integer();
                default -> throw in.unexpected(member);
            }
        }
        return new EventsV1Event(
                metadata,
                eventTime,
                series,
                reportingController,
                reportingInstance,
                action,
                reason,
                regarding,
                related,
                note,
                type,
                deprecatedSource,
                deprecatedFirstTimestamp,
                deprecatedLastTimestamp,
                deprecatedCount,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EventsV1Event value) {
        out.metadata(value.metadata());
        out.text("eventTime", value.eventTime());
        out.nullable("series", EventSeriesAdapter.INSTANCE, value.series());
        out.string("reportingController", value.reportingController());
        out.string("reportingInstance", value.reportingInstance());
        out.string("action", value.action());
        out.string("reason", value.reason());
        out.value("regarding", ObjectReferenceAdapter.INSTANCE, value.regarding());
        out.nullable("related", ObjectReferenceAdapter.INSTANCE, value.related());
        out.string("note", value.note());
        out.string("type", value.type());
        out.value("deprecatedSource", EventSourceAdapter.INSTANCE, value.deprecatedSource());
        out.text("deprecatedFirstTimestamp", value.deprecatedFirstTimestamp());
        out.text("deprecatedLastTimestamp", value.deprecatedLastTimestamp());
        out.integer("deprecatedCount", value.deprecatedCount());
    }
}

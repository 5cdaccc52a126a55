package io.kubeloop.json;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSeries;
import io.kubeloop.api.core.EventSource;

/** {@link Event}. */
final class EventAdapter extends ObjectAdapter<Event> {

    static final EventAdapter INSTANCE = new EventAdapter();

    private EventAdapter() {
        super(
                "metadata",
                "involvedObject",
                "reason",
                "message",
                "source",
                "firstTimestamp",
                "lastTimestamp",
                "count",
                "type",
                "eventTime",
                "series",
                "action",
                "related",
                "reportingComponent",
                "reportingInstance");
    }

    @Override
    protected Event read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        ObjectReference involvedObject = ObjectReference.EMPTY;
        String reason = "";
        String message = "";
        EventSource source = EventSource.EMPTY;
        Time firstTimestamp = null;
        Time lastTimestamp = null;
        int count = 0;
        String type = "";
        MicroTime eventTime = null;
        EventSeries series = null;
        String action = "";
        ObjectReference related = null;
        String reportingController = "";
        String reportingInstance = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "involvedObject" -> involvedObject = in.value(ObjectReferenceAdapter.INSTANCE);
                case "reason" -> reason = in.sharedString();
                case "message" -> message = in.string();
                case "source" -> source = in.value(EventSourceAdapter.INSTANCE);
                case "firstTimestamp" -> firstTimestamp = in.time();
                case "lastTimestamp" -> lastTimestamp = in.time();
                case "count" -> count = in.integer();
                case "type" -> type = in.sharedString();
                case "eventTime" -> eventTime = in.microTime();
                case "series" -> series = in.nullable(EventSeriesAdapter.INSTANCE);
                case "action" -> action = in.sharedString();
                case "related" -> related = in.nullable(ObjectReferenceAdapter.INSTANCE);
                case "reportingComponent" -> reportingController = in.sharedString();
                case "reportingInstance" -> reportingInstance = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
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
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Event value) {
        out.metadata(value.metadata());
        out.value("involvedObject", ObjectReferenceAdapter.INSTANCE, value.involvedObject());
        out.string("reason", value.reason());
        out.string("message", value.message());
        out.value("source", EventSourceAdapter.INSTANCE, value.source());
        out.text("firstTimestamp", value.firstTimestamp());
        out.text("lastTimestamp", value.lastTimestamp());
        out.integer("count", value.count());
        out.string("type", value.type());
        out.text("eventTime", value.eventTime());
        out.nullable("series", EventSeriesAdapter.INSTANCE, value.series());
        out.string("action", value.action());
        out.nullable("related", ObjectReferenceAdapter.INSTANCE, value.related());
        out.string("reportingComponent", value.reportingController());
        out.string("reportingInstance", value.reportingInstance());
    }
}

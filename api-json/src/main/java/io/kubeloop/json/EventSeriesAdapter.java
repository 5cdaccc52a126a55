package io.kubeloop.json;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EventSeries;

/** {@link EventSeries}. */
final class EventSeriesAdapter extends RecordAdapter<EventSeries> {

    static final EventSeriesAdapter INSTANCE = new EventSeriesAdapter();

    private EventSeriesAdapter() {
        super("count", "lastObservedTime");
    }

    @Override
    protected EventSeries read(RecordReader in) {
        int count = 0;
        MicroTime lastObservedTime = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "count" -> count = in.integer();
                case "lastObservedTime" -> lastObservedTime = in.microTime();
                default -> throw in.unexpected(member);
            }
        }
        return new EventSeries(count, lastObservedTime, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EventSeries value) {
        out.integer("count", value.count());
        out.text("lastObservedTime", value.lastObservedTime());
    }

    @Override
    protected UnknownFields unknownFields(EventSeries value) {
        return value.unknownFields();
    }
}

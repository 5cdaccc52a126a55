package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EventSource;

/** {@link EventSource}. */
final class EventSourceAdapter extends RecordAdapter<EventSource> {

    static final EventSourceAdapter INSTANCE = new EventSourceAdapter();

    private EventSourceAdapter() {
        super("component", "host");
    }

    @Override
    protected EventSource read(RecordReader in) {
        String component = "";
        String host = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "component" -> component = in.sharedString();
                case "host" -> host = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new EventSource(component, host, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EventSource value) {
        out.string("component", value.component());
        out.string("host", value.host());
    }

    @Override
    protected UnknownFields unknownFields(EventSource value) {
        return value.unknownFields();
    }
}

package io.kubeloop.json;

import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;

/** {@link Status.Cause}. */
final class StatusCauseAdapter extends RecordAdapter<Status.Cause> {

    static final StatusCauseAdapter INSTANCE = new StatusCauseAdapter();

    private StatusCauseAdapter() {
        super("reason", "message", "field");
    }

    @Override
    protected Status.Cause read(RecordReader in) {
        String reason = "";
        String message = "";
        String field = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "reason" -> reason = in.sharedString();
                case "message" -> message = in.string();
                case "field" -> field = in.string();
                default -> throw in.unexpected(member);
            }
        }
        return new Status.Cause(reason, message, field, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Status.Cause value) {
        out.string("reason", value.reason());
        out.string("message", value.message());
        out.string("field", value.field());
    }

    @Override
    protected UnknownFields unknownFields(Status.Cause value) {
        return value.unknownFields();
    }
}

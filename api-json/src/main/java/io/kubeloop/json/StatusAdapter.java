package io.kubeloop.json;

import io.kubeloop.api.ListMeta;
import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;

/** {@link Status}. */
final class StatusAdapter extends RecordAdapter<Status> {

    static final StatusAdapter INSTANCE = new StatusAdapter();

    private StatusAdapter() {
        super("metadata", "status", "message", "reason", "details", "code");
    }

    @Override
    protected Status read(RecordReader in) {
        ListMeta metadata = null;
        String status = "";
        String message = "";
        String reason = "";
        Status.Details details = null;
        int code = 0;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.nullable(ListMetaAdapter.INSTANCE);
                case "status" -> status = in.sharedString();
                case "message" -> message = in.string();
                case "reason" -> reason = in.sharedString();
                case "details" -> details = in.nullable(StatusDetailsAdapter.INSTANCE);
                case "code" -> code = in.integer();
                default -> throw in.unexpected(member);
            }
        }
        return new Status(metadata, status, message, reason, details, code, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Status value) {
        out.nullable("metadata", ListMetaAdapter.INSTANCE, value.metadata());
        out.string("status", value.status());
        out.string("message", value.message());
        out.string("reason", value.reason());
        out.nullable("details", StatusDetailsAdapter.INSTANCE, value.details());
        out.integer("code", value.code());
    }

    @Override
    protected UnknownFields unknownFields(Status value) {
        return value.unknownFields();
    }
}

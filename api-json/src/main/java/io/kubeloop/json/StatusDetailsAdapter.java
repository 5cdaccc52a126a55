package io.kubeloop.json;

import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;
import java.util.List;

/** {@link Status.Details}. */
final class StatusDetailsAdapter extends RecordAdapter<Status.Details> {

    static final StatusDetailsAdapter INSTANCE = new StatusDetailsAdapter();

    private StatusDetailsAdapter() {
        super("name", "group", "kind", "uid", "causes", "retryAfterSeconds");
    }

    @Override
    protected Status.Details read(RecordReader in) {
        String name = "";
        String group = "";
        String kind = "";
        String uid = "";
        List<Status.Cause> causes = List.of();
        int retryAfterSeconds = 0;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.string();
                case "group" -> group = in.sharedString();
                case "kind" -> kind = in.sharedString();
                case "uid" -> uid = in.string();
                case "causes" -> causes = in.list(StatusCauseAdapter.INSTANCE);
                case "retryAfterSeconds" -> retryAfterSeconds = in.integer();
                default -> throw in.unexpected(member);
            }
        }
        return new Status.Details(name, group, kind, uid, causes, retryAfterSeconds, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Status.Details value) {
        out.string("name", value.name());
        out.string("group", value.group());
        out.string("kind", value.kind());
        out.string("uid", value.uid());
        out.list("causes", StatusCauseAdapter.INSTANCE, value.causes());
        out.integer("retryAfterSeconds", value.retryAfterSeconds());
    }

    @Override
    protected UnknownFields unknownFields(Status.Details value) {
        return value.unknownFields();
    }
}

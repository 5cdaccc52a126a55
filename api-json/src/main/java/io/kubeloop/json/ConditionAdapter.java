package io.kubeloop.json;

import io.kubeloop.api.Condition;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;

/** {@link Condition}. */
final class ConditionAdapter extends RecordAdapter<Condition> {

    static final ConditionAdapter INSTANCE = new ConditionAdapter();

    private ConditionAdapter() {
        super("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message");
    }

    @Override
    protected Condition read(RecordReader in) {
        String type = "";
        String status = "";
        long observedGeneration = 0;
        Time lastTransitionTime = null;
        String reason = "";
        String message = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "type" -> type = in.sharedString();
                case "status" -> status = in.sharedString();
                case "observedGeneration" -> observedGeneration = in.longInteger();
                case "lastTransitionTime" -> lastTransitionTime = in.time();
                case "reason" -> reason = in.sharedString();
                case "message" -> message = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new Condition(type, status, observedGeneration, lastTransitionTime, reason, message, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Condition value) {
        out.string("type", value.type());
        out.string("status", value.status());
        out.integer("observedGeneration", value.observedGeneration());
        out.text("lastTransitionTime", value.lastTransitionTime());
        out.string("reason", value.reason());
        out.string("message", value.message());
    }

    @Override
    protected UnknownFields unknownFields(Condition value) {
        return value.unknownFields();
    }
}

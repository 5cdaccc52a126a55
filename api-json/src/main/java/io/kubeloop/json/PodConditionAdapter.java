package io.kubeloop.json;

import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.PodCondition;

/** {@link PodCondition}. */
final class PodConditionAdapter extends RecordAdapter<PodCondition> {

    static final PodConditionAdapter INSTANCE = new PodConditionAdapter();

    private PodConditionAdapter() {
        super("type", "status", "lastProbeTime", "lastTransitionTime", "reason", "message");
    }

    @Override
    protected PodCondition read(RecordReader in) {
        String type = "";
        String status = "";
        Time lastProbeTime = null;
        Time lastTransitionTime = null;
        String reason = "";
        String message = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "type" -> type = in.sharedString();
                case "status" -> status = in.sharedString();
                case "lastProbeTime" -> lastProbeTime = in.time();
                case "lastTransitionTime" -> lastTransitionTime = in.time();
                case "reason" -> reason = in.sharedString();
                case "message" -> message = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new PodCondition(type, status, lastProbeTime, lastTransitionTime, reason, message, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, PodCondition value) {
        out.string("type", value.type());
        out.string("status", value.status());
        out.text("lastProbeTime", value.lastProbeTime());
        out.text("lastTransitionTime", value.lastTransitionTime());
        out.string("reason", value.reason());
        out.string("message", value.message());
    }

    @Override
    protected UnknownFields unknownFields(PodCondition value) {
        return value.unknownFields();
    }
}

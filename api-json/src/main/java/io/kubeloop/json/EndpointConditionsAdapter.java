package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.discovery.EndpointConditions;

/** {@link EndpointConditions}. */
final class EndpointConditionsAdapter extends RecordAdapter<EndpointConditions> {

    static final EndpointConditionsAdapter INSTANCE = new EndpointConditionsAdapter();

    private EndpointConditionsAdapter() {
        super("ready", "serving", "terminating");
    }

    @Override
    protected EndpointConditions read(RecordReader in) {
        Boolean ready = null;
        Boolean serving = null;
        Boolean terminating = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "ready" -> ready = in.nullableBool();
                case "serving" -> serving = in.nullableBool();
                case "terminating" -> terminating = in.nullableBool();
                default -> throw in.unexpected(member);
            }
        }
        return new EndpointConditions(ready, serving, terminating, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EndpointConditions value) {
        out.nullable("ready", value.ready());
        out.nullable("serving", value.serving());
        out.nullable("terminating", value.terminating());
    }

    @Override
    protected UnknownFields unknownFields(EndpointConditions value) {
        return value.unknownFields();
    }
}

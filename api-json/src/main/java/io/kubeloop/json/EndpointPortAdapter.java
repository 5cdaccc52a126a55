package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointPort;

/** {@link EndpointPort}. */
final class EndpointPortAdapter extends RecordAdapter<EndpointPort> {

    static final EndpointPortAdapter INSTANCE = new EndpointPortAdapter();

    private EndpointPortAdapter() {
        super("name", "port", "protocol", "appProtocol");
    }

    @Override
    protected EndpointPort read(RecordReader in) {
        String name = "";
        int port = 0;
        String protocol = "";
        String appProtocol = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.sharedString();
                case "port" -> port = in.integer();
                case "protocol" -> protocol = in.sharedString();
                case "appProtocol" -> appProtocol = in.nullableString();
                default -> throw in.unexpected(member);
            }
        }
        return new EndpointPort(name, port, protocol, appProtocol, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EndpointPort value) {
        out.string("name", value.name());
        out.integer("port", value.port());
        out.string("protocol", value.protocol());
        out.nullable("appProtocol", value.appProtocol());
    }

    @Override
    protected UnknownFields unknownFields(EndpointPort value) {
        return value.unknownFields();
    }
}

package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.discovery.EndpointSlicePort;

/** {@link EndpointSlicePort}. */
final class EndpointSlicePortAdapter extends RecordAdapter<EndpointSlicePort> {

    static final EndpointSlicePortAdapter INSTANCE = new EndpointSlicePortAdapter();

    private EndpointSlicePortAdapter() {
        super("name", "protocol", "port", "appProtocol");
    }

    @Override
    protected EndpointSlicePort read(RecordReader in) {
        String name = null;
        String protocol = null;
        Integer port = null;
        String appProtocol = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.nullableString();
                case "protocol" -> protocol = in.nullableString();
                case "port" -> port = in.nullableInteger();
                case "appProtocol" -> appProtocol = in.nullableString();
                default -> throw in.unexpected(member);
            }
        }
        return new EndpointSlicePort(name, protocol, port, appProtocol, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EndpointSlicePort value) {
        out.nullable("name", value.name());
        out.nullable("protocol", value.protocol());
        out.nullable("port", value.port());
        out.nullable("appProtocol", value.appProtocol());
    }

    @Override
    protected UnknownFields unknownFields(EndpointSlicePort value) {
        return value.unknownFields();
    }
}

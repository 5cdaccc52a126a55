package io.kubeloop.json;

import io.kubeloop.api.IntOrString;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ServicePort;

/** {@link ServicePort}. */
final class ServicePortAdapter extends RecordAdapter<ServicePort> {

    static final ServicePortAdapter INSTANCE = new ServicePortAdapter();

    private ServicePortAdapter() {
        super("name", "protocol", "appProtocol", "port", "targetPort", "nodePort");
    }

    @Override
    protected ServicePort read(RecordReader in) {
        String name = "";
        String protocol = "";
        String appProtocol = null;
        int port = 0;
        IntOrString targetPort = IntOrString.ZERO;
        int nodePort = 0;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.sharedString();
                case "protocol" -> protocol = in.sharedString();
                case "appProtocol" -> appProtocol = in.nullableString();
                case "port" -> port = in.integer();
                case "targetPort" -> targetPort = in.intOrString();
                case "nodePort" -> nodePort = in.integer();
                default -> throw in.unexpected(member);
            }
        }
        return new ServicePort(name, protocol, appProtocol, port, targetPort, nodePort, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ServicePort value) {
        out.string("name", value.name());
        out.string("protocol", value.protocol());
        out.nullable("appProtocol", value.appProtocol());
        out.integer("port", value.port());
        out.intOrString("targetPort", value.targetPort());
        out.integer("nodePort", value.nodePort());
    }

    @Override
    protected UnknownFields unknownFields(ServicePort value) {
        return value.unknownFields();
    }
}

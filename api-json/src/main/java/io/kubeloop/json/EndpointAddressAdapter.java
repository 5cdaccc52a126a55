package io.kubeloop.json;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;

/** {@link EndpointAddress}. */
final class EndpointAddressAdapter extends RecordAdapter<EndpointAddress> {

    static final EndpointAddressAdapter INSTANCE = new EndpointAddressAdapter();

    private EndpointAddressAdapter() {
        super("ip", "hostname", "nodeName", "targetRef");
    }

    @Override
    protected EndpointAddress read(RecordReader in) {
        String ip = "";
        String hostname = "";
        String nodeName = null;
        ObjectReference targetRef = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "ip" -> ip = in.string();
                case "hostname" -> hostname = in.sharedString();
                case "nodeName" -> nodeName = in.nullableString();
                case "targetRef" -> targetRef = in.nullable(ObjectReferenceAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new EndpointAddress(ip, hostname, nodeName, targetRef, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EndpointAddress value) {
        out.string("ip", value.ip());
        out.string("hostname", value.hostname());
        out.nullable("nodeName", value.nodeName());
        out.nullable("targetRef", ObjectReferenceAdapter.INSTANCE, value.targetRef());
    }

    @Override
    protected UnknownFields unknownFields(EndpointAddress value) {
        return value.unknownFields();
    }
}

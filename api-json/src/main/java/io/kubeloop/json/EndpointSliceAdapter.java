package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSlicePort;
import java.util.List;

/** {@link EndpointSlice}. */
final class EndpointSliceAdapter extends ObjectAdapter<EndpointSlice> {

    static final EndpointSliceAdapter INSTANCE = new EndpointSliceAdapter();

    private EndpointSliceAdapter() {
        super("metadata", "addressType", "endpoints", "ports");
    }

    @Override
    protected EndpointSlice read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        String addressType = "";
        List<Endpoint> endpoints = List.of();
        List<EndpointSlicePort> ports = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "addressType" -> addressType = in.sharedString();
                case "endpoints" -> endpoints = in.list(EndpointAdapter.INSTANCE);
                case "ports" -> ports = in.list(EndpointSlicePortAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new EndpointSlice(metadata, addressType, endpoints, ports, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EndpointSlice value) {
        out.metadata(value.metadata());
        out.string("addressType", value.addressType());
        out.list("endpoints", EndpointAdapter.INSTANCE, value.endpoints());
        out.list("ports", EndpointSlicePortAdapter.INSTANCE, value.ports());
    }
}

package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import java.util.List;

/** {@link EndpointSubset}. */
final class EndpointSubsetAdapter extends RecordAdapter<EndpointSubset> {

    static final EndpointSubsetAdapter INSTANCE = new EndpointSubsetAdapter();

    private EndpointSubsetAdapter() {
        super("addresses", "notReadyAddresses", "ports");
    }

    @Override
    protected EndpointSubset read(RecordReader in) {
        List<EndpointAddress> addresses = List.of();
        List<EndpointAddress> notReadyAddresses = List.of();
        List<EndpointPort> ports = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "addresses" -> addresses = in.list(EndpointAddressAdapter.INSTANCE);
                case "notReadyAddresses" -> notReadyAddresses = in.list(EndpointAddressAdapter.INSTANCE);
                case "ports" -> ports = in.list(EndpointPortAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new EndpointSubset(addresses, notReadyAddresses, ports, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, EndpointSubset value) {
        out.list("addresses", EndpointAddressAdapter.INSTANCE, value.addresses());
        out.list("notReadyAddresses", EndpointAddressAdapter.INSTANCE, value.notReadyAddresses());
        out.list("ports", EndpointPortAdapter.INSTANCE, value.ports());
    }

    @Override
    protected UnknownFields unknownFields(EndpointSubset value) {
        return value.unknownFields();
    }
}

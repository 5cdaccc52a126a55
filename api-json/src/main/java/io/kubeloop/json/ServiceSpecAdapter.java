package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ServicePort;
import io.kubeloop.api.core.ServiceSpec;
import java.util.List;
import java.util.Map;

/** {@link ServiceSpec}. */
final class ServiceSpecAdapter extends RecordAdapter<ServiceSpec> {

    static final ServiceSpecAdapter INSTANCE = new ServiceSpecAdapter();

    private ServiceSpecAdapter() {
        super(
                "ports",
                "selector",
                "clusterIP",
                "clusterIPs",
                "type",
                "externalName",
                "publishNotReadyAddresses",
                "ipFamilies");
    }

    @Override
    protected ServiceSpec read(RecordReader in) {
        List<ServicePort> ports = List.of();
        Map<String, String> selector = Map.of();
        String clusterIP = "";
        List<String> clusterIPs = List.of();
        String type = "";
        String externalName = "";
        boolean publishNotReadyAddresses = false;
        List<String> ipFamilies = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "ports" -> ports = in.list(ServicePortAdapter.INSTANCE);
                case "selector" -> selector = in.sharedStringMap();
                case "clusterIP" -> clusterIP = in.string();
                case "clusterIPs" -> clusterIPs = in.strings();
                case "type" -> type = in.sharedString();
                case "externalName" -> externalName = in.string();
                case "publishNotReadyAddresses" -> publishNotReadyAddresses = in.bool();
                case "ipFamilies" -> ipFamilies = in.sharedStrings();
                default -> throw in.unexpected(member);
            }
        }
        return new ServiceSpec(
                ports,
                selector,
                clusterIP,
                clusterIPs,
                type,
                externalName,
                publishNotReadyAddresses,
                ipFamilies,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ServiceSpec value) {
        out.list("ports", ServicePortAdapter.INSTANCE, value.ports());
        out.stringMap("selector", value.selector());
        out.string("clusterIP", value.clusterIP());
        out.strings("clusterIPs", value.clusterIPs());
        out.string("type", value.type());
        out.string("externalName", value.externalName());
        out.bool("publishNotReadyAddresses", value.publishNotReadyAddresses());
        out.strings("ipFamilies", value.ipFamilies());
    }

    @Override
    protected UnknownFields unknownFields(ServiceSpec value) {
        return value.unknownFields();
    }
}

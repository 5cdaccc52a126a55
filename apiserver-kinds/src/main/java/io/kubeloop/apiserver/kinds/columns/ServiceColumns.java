package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.AGE;
import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of services. */
final class ServiceColumns {

    static final List<Column> COLUMNS = List.of(
            NAME,
            text("Type", "The type of the service.", row -> row.object().string("spec", "type")),
            text("Cluster-IP", "The address inside the cluster.", ServiceColumns::clusterIp),
            text("External-IP", "The addresses outside the cluster.", ServiceColumns::externalIp),
            text("Port(s)", "The ports, with their node ports.", ServiceColumns::ports),
            AGE,
            text("Selector", "The selector of the pods.", row -> row.labels("spec", "selector"))
                    .wide());

    private ServiceColumns() {}

    private static String clusterIp(Row row) {
        return row.object()
                .array("spec", "clusterIPs")
                .strings()
                .findFirst()
                .orElseGet(() -> row.text("spec", "clusterIP"));
    }

    private static String externalIp(Row row) {
        JsonObject service = row.object();
        String given = service.array("spec", "externalIPs").strings().collect(Collectors.joining(","));
        return switch (service.string("spec", "type")) {
            case "ExternalName" -> service.string("spec", "externalName");
            case "LoadBalancer" -> {
                Stream<String> balanced = service.array("status", "loadBalancer", "ingress")
                        .objects()
                        .map(ingress ->
                                ingress.string("ip").isEmpty() ? ingress.string("hostname") : ingress.string("ip"));
                String all = Stream.concat(balanced, Stream.of(given))
                        .filter(address -> !address.isEmpty())
                        .collect(Collectors.joining(","));
                yield all.isEmpty() ? "<pending>" : all;
            }
            default -> Row.orNone(given);
        };
    }

    private static String ports(Row row) {
        return Row.orNone(row.object()
                .array("spec", "ports")
                .objects()
                .map(port -> {
                    Long nodePort = port.number("nodePort");
                    String protocol = port.string("protocol").isEmpty() ? "TCP" : port.string("protocol");
                    return port.number("port") + (nodePort == null || nodePort == 0 ? "" : ":" + nodePort) + "/"
                            + protocol;
                })
                .collect(Collectors.joining(",")));
    }
}

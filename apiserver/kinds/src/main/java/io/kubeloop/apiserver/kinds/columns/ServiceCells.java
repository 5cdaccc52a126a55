/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cells of services. */
final class ServiceCells {

    static final List<Function<Row, JsonValue>> CELLS = List.of(
            NAME,
            string("spec", "type"),
            text(ServiceCells::clusterIp),
            text(ServiceCells::externalIp),
            text(ServiceCells::ports),
            AGE,
            Cells.labels("spec", "selector"));

    private ServiceCells() {}

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
                String all = Stream.of(balanced(service), given)
                        .filter(addresses -> !addresses.isEmpty())
                        .collect(Collectors.joining(","));
                yield all.isEmpty() ? "<pending>" : all;
            }
            default -> Row.orNone(given);
        };
    }

    /** Returns the addresses of the load balancer of a service or an ingress, sorted and without duplicates. */
    static String balanced(JsonObject object) {
        return object.array("status", "loadBalancer", "ingress")
                .objects()
                .map(ingress -> ingress.string("ip").isEmpty() ? ingress.string("hostname") : ingress.string("ip"))
                .filter(address -> !address.isEmpty())
                .sorted()
                .distinct()
                .collect(Collectors.joining(","));
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

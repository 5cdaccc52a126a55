package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cells of Endpoints and EndpointSlices; long lists are shortened. */
final class EndpointColumns {

    private static final int SHOWN = 3;

    private EndpointColumns() {}

    static String ofEndpoints(Row row) {
        return shortened(row.object().array("subsets").objects().flatMap(EndpointColumns::subset), Row.NONE);
    }

    private static Stream<String> subset(JsonObject subset) {
        List<String> addresses = subset.array("addresses")
                .objects()
                .map(address -> address.string("ip"))
                .toList();
        List<JsonObject> ports = subset.array("ports").objects().toList();
        if (ports.isEmpty()) {
            return addresses.stream();
        }
        return ports.stream().flatMap(port -> addresses.stream().map(ip -> hostPort(ip, port.number("port"))));
    }

    private static String hostPort(String ip, @Nullable Long port) {
        return (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port;
    }

    static String slicePorts(Row row) {
        return shortened(
                row.object().array("ports").objects().map(port -> {
                    Long number = port.number("port");
                    return number == null ? "*" : number.toString();
                }),
                "<unset>");
    }

    static String sliceAddresses(Row row) {
        return shortened(
                row.object()
                        .array("endpoints")
                        .objects()
                        .flatMap(endpoint -> endpoint.array("addresses").strings()),
                "<unset>");
    }

    private static String shortened(Stream<String> items, String none) {
        List<String> all = items.toList();
        if (all.isEmpty()) {
            return none;
        }
        String shown = all.stream().limit(SHOWN).collect(Collectors.joining(","));
        return all.size() <= SHOWN ? shown : shown + " + " + (all.size() - SHOWN) + " more...";
    }
}

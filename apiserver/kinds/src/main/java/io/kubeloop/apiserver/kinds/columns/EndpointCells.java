/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cells of Endpoints and EndpointSlices; long lists are shortened. */
final class EndpointCells {

    private static final int SHOWN = 3;

    private EndpointCells() {}

    static String ofEndpoints(Row row) {
        JsonArray subsets = row.object().array("subsets");
        return subsets.isEmpty() ? Row.NONE : shortened(subsets.objects().flatMap(EndpointCells::subset), "");
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
                    return number == null ? Cells.plain(port, "*", "name") : number.toString();
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.joined;
import static io.kubeloop.apiserver.kinds.columns.Cells.selector;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.stringOr;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;
import static java.util.Map.entry;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cells of services, endpoints, ingresses and network policies. */
final class NetworkCells {

    private static final int SHOWN_HOSTS = 3;

    static final Map<String, List<Function<Row, JsonValue>>> TABLE = Map.ofEntries(
            entry("v1 Service", ServiceCells.CELLS),
            entry("v1 Endpoints", List.of(NAME, text(EndpointCells::ofEndpoints), AGE)),
            entry(
                    "discovery.k8s.io/v1 EndpointSlice",
                    List.of(
                            NAME,
                            string("addressType"),
                            text(EndpointCells::slicePorts),
                            text(EndpointCells::sliceAddresses),
                            AGE)),
            entry(
                    "networking.k8s.io/v1 Ingress",
                    List.of(
                            NAME,
                            stringOr(Row.NONE, "spec", "ingressClassName"),
                            text(NetworkCells::hosts),
                            text(row -> ServiceCells.balanced(row.object())),
                            text(row -> row.object().array("spec", "tls").isEmpty() ? "80" : "80, 443"),
                            AGE)),
            entry(
                    "networking.k8s.io/v1 IngressClass",
                    List.of(
                            Cells.nameOrDefault("ingressclass.kubernetes.io/is-default-class"),
                            string("spec", "controller"),
                            text(NetworkCells::parameters),
                            AGE)),
            entry("networking.k8s.io/v1 NetworkPolicy", List.of(NAME, selector("spec", "podSelector"), AGE)),
            entry("networking.k8s.io/v1 ServiceCIDR", List.of(NAME, joined("spec", "cidrs"), AGE)),
            // As upstream, the row has an age, for which there is no column.
            entry("networking.k8s.io/v1 IPAddress", List.of(NAME, text(NetworkCells::parent), AGE)));

    private NetworkCells() {}

    private static String hosts(Row row) {
        List<String> rules = row.object()
                .array("spec", "rules")
                .objects()
                .map(rule -> rule.string("host"))
                .toList();
        StringBuilder shown = new StringBuilder();
        int count = 0;
        for (String host : rules) {
            if (count == SHOWN_HOSTS) {
                return shown + " + " + (rules.size() - SHOWN_HOSTS) + " more...";
            }
            if (!host.isEmpty()) {
                shown.append(count == 0 ? "" : ",").append(host);
                count++;
            }
        }
        return count == 0 ? "*" : shown.toString();
    }

    private static String parameters(Row row) {
        JsonObject parameters = row.object().object("spec", "parameters");
        if (parameters.isEmpty()) {
            return Row.NONE;
        }
        String group = parameters.has("apiGroup") ? "." + parameters.string("apiGroup") : "";
        return parameters.string("kind") + group + "/" + parameters.string("name");
    }

    private static String parent(Row row) {
        JsonObject parent = row.object().object("spec", "parentRef");
        if (parent.isEmpty()) {
            return Row.NONE;
        }
        String group = parent.string("group");
        String resource = parent.string("resource") + (group.isEmpty() ? "" : "." + group);
        String namespace = parent.string("namespace");
        return resource.toLowerCase(Locale.ROOT) + "/" + (namespace.isEmpty() ? "" : namespace + "/")
                + parent.string("name");
    }

    /** The cells of Endpoints and EndpointSlices; long lists are shortened. */
    private static final class EndpointCells {

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

    /** The cells of services. */
    private static final class ServiceCells {

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
}

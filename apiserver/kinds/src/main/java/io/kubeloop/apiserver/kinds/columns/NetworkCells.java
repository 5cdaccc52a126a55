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
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

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
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/** The cells of nodes. */
final class NodeCells {

    private static final String ROLE_LABEL = "node-role.kubernetes.io/";

    static final List<Function<Row, JsonValue>> CELLS = List.of(
            NAME,
            text(NodeCells::status),
            text(NodeCells::roles),
            AGE,
            string("status", "nodeInfo", "kubeletVersion"),
            text(row -> address(row, "InternalIP")),
            text(row -> address(row, "ExternalIP")),
            text(row -> info(row, "osImage")),
            text(NodeCells::kernel),
            text(row -> info(row, "containerRuntimeVersion")));

    private NodeCells() {}

    private static String status(Row row) {
        String ready = row.object()
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals("Ready"))
                .map(condition -> condition.string("status").equals("True") ? "Ready" : "NotReady")
                .findFirst()
                .orElse("Unknown");
        return row.object().bool("spec", "unschedulable") ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(Row row) {
        TreeSet<String> roles = new TreeSet<>();
        row.object().object("metadata", "labels").members().keySet().stream()
                .filter(label -> label.startsWith(ROLE_LABEL) && label.length() > ROLE_LABEL.length())
                .map(label -> label.substring(ROLE_LABEL.length()))
                .forEach(roles::add);
        String role = row.object().string("metadata", "labels", "kubernetes.io/role");
        if (!role.isEmpty()) {
            roles.add(role);
        }
        return Row.orNone(String.join(",", roles));
    }

    private static String address(Row row, String type) {
        return row.object()
                .array("status", "addresses")
                .objects()
                .filter(address -> address.string("type").equals(type))
                .map(address -> address.string("address"))
                .findFirst()
                .orElse(Row.NONE);
    }

    private static String kernel(Row row) {
        String architecture = row.object().string("status", "nodeInfo", "architecture");
        return info(row, "kernelVersion") + (architecture.isEmpty() ? "" : " (" + architecture + ")");
    }

    private static String info(Row row, String member) {
        String text = row.object().string("status", "nodeInfo", member);
        return text.isEmpty() ? Cells.UNKNOWN : text;
    }
}

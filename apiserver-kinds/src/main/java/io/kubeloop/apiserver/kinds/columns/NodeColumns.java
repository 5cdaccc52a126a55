package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.AGE;
import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import java.util.List;
import java.util.TreeSet;

/** The columns of nodes. */
final class NodeColumns {

    private static final String ROLE_LABEL = "node-role.kubernetes.io/";

    static final List<Column> COLUMNS = List.of(
            NAME,
            text("Status", "The conditions of the node.", NodeColumns::status),
            text("Roles", "The roles of the node.", NodeColumns::roles),
            AGE,
            text(
                    "Version",
                    "The version of the kubelet.",
                    row -> row.object().string("status", "nodeInfo", "kubeletVersion")),
            text("Internal-IP", "The address inside the cluster.", row -> address(row, "InternalIP"))
                    .wide(),
            text("External-IP", "The address outside the cluster.", row -> address(row, "ExternalIP"))
                    .wide(),
            text("OS-Image", "The operating system.", row -> info(row, "osImage"))
                    .wide(),
            text("Kernel-Version", "The version of the kernel.", row -> info(row, "kernelVersion"))
                    .wide(),
            text("Container-Runtime", "The container runtime.", row -> info(row, "containerRuntimeVersion"))
                    .wide());

    private NodeColumns() {}

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

    private static String info(Row row, String member) {
        String text = row.object().string("status", "nodeInfo", member);
        return text.isEmpty() ? "<unknown>" : text;
    }
}

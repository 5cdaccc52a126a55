package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.AGE;
import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.number;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The columns of each kind. */
public final class Layouts {

    private static final List<Column> PLAIN = List.of(NAME, AGE);

    private static final List<Column> REPLICAS = List.of(
            NAME,
            number("Desired", "The desired number of pods.", row -> row.count("spec", "replicas")),
            number("Current", "The current number of pods.", row -> row.count("status", "replicas")),
            number("Ready", "The number of ready pods.", row -> row.count("status", "readyReplicas")),
            AGE,
            text("Containers", "The names of the containers.", row -> PodColumns.containers(row, "name"))
                    .wide(),
            text("Images", "The images of the containers.", row -> PodColumns.containers(row, "image"))
                    .wide());

    private static final Map<String, List<Column>> BY_KIND = Map.ofEntries(
            Map.entry("v1 Pod", PodColumns.COLUMNS),
            Map.entry("v1 Service", ServiceColumns.COLUMNS),
            Map.entry(
                    "v1 Endpoints",
                    List.of(
                            NAME,
                            text("Endpoints", "The ready addresses, at most three.", EndpointColumns::ofEndpoints),
                            AGE)),
            Map.entry(
                    "discovery.k8s.io/v1 EndpointSlice",
                    List.of(
                            NAME,
                            text(
                                    "AddressType",
                                    "The type of the addresses.",
                                    row -> row.object().string("addressType")),
                            text("Ports", "The ports, at most three.", EndpointColumns::slicePorts),
                            text("Endpoints", "The addresses, at most three.", EndpointColumns::sliceAddresses),
                            AGE)),
            Map.entry(
                    "apps/v1 ReplicaSet",
                    with(
                            REPLICAS,
                            text("Selector", "The selector of the pods.", row -> row.selector("spec", "selector"))
                                    .wide())),
            Map.entry("apps/v1 Deployment", DeploymentColumns.COLUMNS),
            Map.entry(
                    "v1 ReplicationController",
                    with(
                            REPLICAS,
                            text("Selector", "The selector of the pods.", row -> row.labels("spec", "selector"))
                                    .wide())),
            Map.entry("v1 Event", EventColumns.COLUMNS),
            Map.entry(
                    "v1 Namespace",
                    List.of(
                            NAME,
                            text(
                                    "Status",
                                    "The phase of the namespace.",
                                    row -> row.object().string("status", "phase")),
                            AGE)),
            Map.entry("v1 Node", NodeColumns.COLUMNS),
            Map.entry(
                    "v1 ServiceAccount",
                    List.of(
                            NAME,
                            number(
                                    "Secrets",
                                    "The number of secrets.",
                                    row -> row.object().array("secrets").size()),
                            AGE)),
            Map.entry(
                    "coordination.k8s.io/v1 Lease",
                    List.of(
                            NAME,
                            text(
                                    "Holder",
                                    "The identity of the holder.",
                                    row -> row.object().string("spec", "holderIdentity")),
                            AGE)),
            Map.entry(
                    "v1 ConfigMap",
                    List.of(
                            NAME,
                            number(
                                    "Data",
                                    "The number of entries.",
                                    row -> size(row, "data") + size(row, "binaryData")),
                            AGE)),
            Map.entry(
                    "v1 Secret",
                    List.of(
                            NAME,
                            text(
                                    "Type",
                                    "The type of the secret.",
                                    row -> row.object().string("type")),
                            number("Data", "The number of entries.", row -> size(row, "data")),
                            AGE)),
            Map.entry("v1 LimitRange", List.of(NAME, Column.CREATED_AT)),
            Map.entry("v1 ResourceQuota", QuotaColumns.COLUMNS),
            Map.entry(
                    "v1 PodTemplate",
                    List.of(
                            NAME,
                            text(
                                    "Containers",
                                    "The names of the containers.",
                                    row -> Row.joined(row.object().array("template", "spec", "containers"), "name")),
                            text(
                                    "Images",
                                    "The images of the containers.",
                                    row -> Row.joined(row.object().array("template", "spec", "containers"), "image")),
                            text(
                                    "Pod Labels",
                                    "The labels of the pods.",
                                    row -> row.labels("template", "metadata", "labels")))));

    private Layouts() {}

    /** Returns the columns of a kind; name and age if the kind has no columns of its own. */
    public static List<Column> of(String apiVersion, String kind) {
        return BY_KIND.getOrDefault(apiVersion + " " + kind, PLAIN);
    }

    private static List<Column> with(List<Column> columns, Column last) {
        return Stream.concat(columns.stream(), Stream.of(last)).toList();
    }

    private static long size(Row row, String member) {
        return row.object().object(member).members().size();
    }
}

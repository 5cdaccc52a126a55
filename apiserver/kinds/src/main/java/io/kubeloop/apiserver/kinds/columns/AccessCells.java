/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.CREATED;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.UNSET;
import static io.kubeloop.apiserver.kinds.columns.Cells.joined;
import static io.kubeloop.apiserver.kinds.columns.Cells.labels;
import static io.kubeloop.apiserver.kinds.columns.Cells.number;
import static io.kubeloop.apiserver.kinds.columns.Cells.size;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;
import static io.kubeloop.apiserver.kinds.columns.Cells.valueOrNone;
import static java.util.Map.entry;

import io.kubeloop.apiserver.table.HumanDuration;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The cells of the kinds that decide which requests a server accepts, and of certificate requests. */
final class AccessCells {

    private static final List<Function<Row, JsonValue>> BINDING = List.of(
            NAME,
            text(row ->
                    row.object().string("roleRef", "kind") + "/" + row.object().string("roleRef", "name")),
            AGE,
            text(row -> subjects(row, "User")),
            text(row -> subjects(row, "Group")),
            text(row -> subjects(row, "ServiceAccount")));

    private static final List<Function<Row, JsonValue>> WEBHOOKS = List.of(NAME, size("webhooks"), AGE);

    private static final List<Function<Row, JsonValue>> POLICY_BINDING =
            List.of(NAME, string("spec", "policyName"), text(AccessCells::parameter), AGE);

    private static final String[] LIMITED = {"spec", "limited", "limitResponse", "queuing"};

    static final Map<String, List<Function<Row, JsonValue>>> TABLE = Map.ofEntries(
            entry("rbac.authorization.k8s.io/v1 RoleBinding", BINDING),
            entry("rbac.authorization.k8s.io/v1 ClusterRoleBinding", BINDING),
            entry("admissionregistration.k8s.io/v1 MutatingWebhookConfiguration", WEBHOOKS),
            entry("admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration", WEBHOOKS),
            entry("admissionregistration.k8s.io/v1 MutatingAdmissionPolicy", policy("mutations")),
            entry("admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy", policy("validations")),
            entry("admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding", POLICY_BINDING),
            entry("admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding", POLICY_BINDING),
            entry(
                    "certificates.k8s.io/v1 CertificateSigningRequest",
                    List.of(
                            NAME,
                            AGE,
                            text(row -> row.text("spec", "signerName")),
                            string("spec", "username"),
                            text(AccessCells::requestedDuration),
                            text(AccessCells::requestState))),
            entry(
                    "certificates.k8s.io/v1 ClusterTrustBundle",
                    List.of(NAME, text(row -> row.text("spec", "signerName")))),
            entry(
                    "certificates.k8s.io/v1 PodCertificateRequest",
                    List.of(
                            NAME,
                            string("spec", "podName"),
                            string("spec", "serviceAccountName"),
                            string("spec", "nodeName"),
                            string("spec", "signerName"),
                            text(row -> lastCondition(row, "Pending", Set.of("Issued", "Denied", "Failed"), false)),
                            labels("spec", "unverifiedUserAnnotations"))),
            entry(
                    "apiextensions.k8s.io/v1 CustomResourceDefinition",
                    List.of(
                            NAME,
                            string("spec", "scope"),
                            text(AccessCells::servedVersions),
                            CREATED,
                            string("spec", "group"),
                            string("spec", "names", "kind"),
                            joined("spec", "names", "shortNames"),
                            row -> JsonBoolean.of(
                                    Cells.condition(row, "Established").equals("True")))),
            entry(
                    "storagemigration.k8s.io/v1 StorageVersionMigration",
                    List.of(
                            NAME,
                            text(AccessCells::migrated),
                            text(row ->
                                    lastCondition(row, "Unknown", Set.of("Running", "Failed", "Succeeded"), true)))),
            entry(
                    "apiregistration.k8s.io/v1 APIService",
                    List.of(NAME, text(AccessCells::service), text(AccessCells::availability), AGE)),
            entry(
                    "flowcontrol.apiserver.k8s.io/v1 FlowSchema",
                    List.of(
                            NAME,
                            string("spec", "priorityLevelConfiguration", "name"),
                            number("spec", "matchingPrecedence"),
                            text(row -> row.text("spec", "distinguisherMethod", "type")),
                            AGE,
                            text(AccessCells::missingLevel))),
            entry(
                    "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration",
                    List.of(
                            NAME,
                            string("spec", "type"),
                            valueOrNone("spec", "limited", "nominalConcurrencyShares"),
                            valueOrNone(LIMITED[0], LIMITED[1], LIMITED[2], LIMITED[3], "queues"),
                            valueOrNone(LIMITED[0], LIMITED[1], LIMITED[2], LIMITED[3], "handSize"),
                            valueOrNone(LIMITED[0], LIMITED[1], LIMITED[2], LIMITED[3], "queueLengthLimit"),
                            AGE)));

    private AccessCells() {}

    private static List<Function<Row, JsonValue>> policy(String rules) {
        return List.of(NAME, size("spec", rules), text(AccessCells::parameterKind), AGE);
    }

    private static String subjects(Row row, String kind) {
        return row.object()
                .array("subjects")
                .objects()
                .filter(subject -> subject.string("kind").equals(kind))
                .map(subject -> kind.equals("ServiceAccount")
                        ? subject.string("namespace") + "/" + subject.string("name")
                        : subject.string("name"))
                .collect(Collectors.joining(", "));
    }

    private static String servedVersions(Row row) {
        return row.object()
                .array("spec", "versions")
                .objects()
                .filter(version -> version.bool("served"))
                .map(version -> version.string("name") + (version.bool("storage") ? "(storage)" : ""))
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static String migrated(Row row) {
        String group = row.object().string("spec", "resource", "group");
        String plural = row.object().string("spec", "resource", "resource");
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Returns the type of the last of these conditions. */
    private static String lastCondition(Row row, String alternative, Set<String> types, boolean onlyTrue) {
        return row.object()
                .array("status", "conditions")
                .objects()
                .filter(condition -> types.contains(condition.string("type")))
                .filter(condition -> !onlyTrue || condition.string("status").equals("True"))
                .map(condition -> condition.string("type"))
                .reduce(alternative, (before, type) -> type);
    }

    private static String parameterKind(Row row) {
        JsonObject kind = row.object().object("spec", "paramKind");
        return kind.isEmpty() ? UNSET : kind.string("apiVersion") + "/" + kind.string("kind");
    }

    private static String parameter(Row row) {
        JsonObject reference = row.object().object("spec", "paramRef");
        String name = reference.string("name");
        if (!name.isEmpty()) {
            String namespace = reference.string("namespace");
            return (namespace.isEmpty() ? "*" : namespace) + "/" + name;
        }
        return reference.has("selector") ? goText(reference.object("selector")) : UNSET;
    }

    /** Upstream prints the selector as Go prints the type of the protocol buffers. */
    private static String goText(JsonObject selector) {
        Map<String, String> labels = new TreeMap<>();
        JsonObject given = selector.object("matchLabels");
        given.members().keySet().forEach(key -> labels.put(key, given.string(key)));
        StringBuilder text = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
        labels.forEach(
                (key, value) -> text.append(key).append(": ").append(value).append(','));
        text.append("},MatchExpressions:[]LabelSelectorRequirement{");
        selector.array("matchExpressions")
                .objects()
                .forEach(expression -> text.append("LabelSelectorRequirement{Key:")
                        .append(expression.string("key"))
                        .append(",Operator:")
                        .append(expression.string("operator"))
                        .append(",Values:")
                        .append(expression.array("values").strings().collect(Collectors.joining(" ", "[", "]")))
                        .append(",},"));
        return text.append("},}").toString();
    }

    private static String requestedDuration(Row row) {
        Long seconds = row.object().number("spec", "expirationSeconds");
        return seconds == null ? Row.NONE : HumanDuration.format(Duration.ofSeconds(seconds));
    }

    private static String requestState(Row row) {
        JsonArray conditions = row.object().array("status", "conditions");
        Set<String> types =
                conditions.objects().map(condition -> condition.string("type")).collect(Collectors.toSet());
        String state = types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
        return state
                + (types.contains("Failed") ? ",Failed" : "")
                + (row.object().string("status", "certificate").isEmpty() ? "" : ",Issued");
    }

    private static String service(Row row) {
        JsonObject service = row.object().object("spec", "service");
        return service.isEmpty() ? "Local" : service.string("namespace") + "/" + service.string("name");
    }

    private static String availability(Row row) {
        return row.object()
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals("Available"))
                .map(condition -> condition.string("status").equals("True")
                        ? "True"
                        : condition.string("status") + " (" + condition.string("reason") + ")")
                .findFirst()
                .orElse("Unknown");
    }

    private static String missingLevel(Row row) {
        String dangling = Cells.condition(row, "Dangling");
        return dangling.isEmpty() ? "?" : dangling;
    }
}

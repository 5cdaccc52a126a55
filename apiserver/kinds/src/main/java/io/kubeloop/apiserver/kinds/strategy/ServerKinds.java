/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;
import static java.util.Map.entry;

import io.kubeloop.apiserver.kinds.validation.server.AccessRules;
import io.kubeloop.apiserver.kinds.validation.server.AdmissionPolicyRules;
import io.kubeloop.apiserver.kinds.validation.server.ApiServiceRules;
import io.kubeloop.apiserver.kinds.validation.server.FlowRules;
import io.kubeloop.apiserver.kinds.validation.server.MigrationRules;
import io.kubeloop.apiserver.kinds.validation.server.PriorityLevelRules;
import io.kubeloop.apiserver.kinds.validation.server.WebhookRules;
import io.kubeloop.apiserver.kinds.warnings.AdmissionWarnings;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy.Origin;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kinds that configure the API server itself (upstream: {@code pkg/registry/rbac} and its neighbors). */
final class ServerKinds {

    static final Map<String, KindStrategy.Entry> TABLE = Map.ofEntries(
            entry("roles.rbac.authorization.k8s.io", access("rbac.v1.Role").check(AccessRules::role)),
            entry(
                    "clusterroles.rbac.authorization.k8s.io",
                    access("rbac.v1.ClusterRole").check(AccessRules::clusterRole)),
            entry(
                    "rolebindings.rbac.authorization.k8s.io",
                    access("rbac.v1.RoleBinding")
                            .check(AccessRules::roleBinding)
                            .checkCreate(AccessRules::newBinding)
                            .checkUpdate(AccessRules::bindingUpdate)),
            entry(
                    "clusterrolebindings.rbac.authorization.k8s.io",
                    access("rbac.v1.ClusterRoleBinding")
                            .check(AccessRules::clusterRoleBinding)
                            .checkCreate(AccessRules::newBinding)
                            .checkUpdate(AccessRules::bindingUpdate)),
            entry(
                    "flowschemas.flowcontrol.apiserver.k8s.io",
                    flow("flowcontrol.v1.FlowSchema").check(FlowRules::schema)),
            entry(
                    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
                    flow("flowcontrol.v1.PriorityLevelConfiguration").check(PriorityLevelRules::level)),
            entry(
                    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                    admission("MutatingWebhookConfiguration", "*").check(WebhookRules::configuration)),
            entry(
                    "validatingwebhookconfigurations.admissionregistration.k8s.io",
                    admission("ValidatingWebhookConfiguration", "*").check(WebhookRules::configuration)),
            entry(
                    "mutatingadmissionpolicies.admissionregistration.k8s.io",
                    admission("MutatingAdmissionPolicy", "spec").check(AdmissionPolicyRules::mutating)),
            entry(
                    "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
                    admission("MutatingAdmissionPolicyBinding", "spec").check(AdmissionPolicyRules::mutatingBinding)),
            entry(
                    "validatingadmissionpolicies.admissionregistration.k8s.io",
                    admission("ValidatingAdmissionPolicy", "spec")
                            .with(Trait.STATUS)
                            .statusUpdates(CHANGE)
                            .onUpdate(ServerKinds::withOldLabels)
                            .check(AdmissionPolicyRules::validating)
                            .checkUpdate(AdmissionPolicyRules::statusUpdate)),
            entry(
                    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                    admission("ValidatingAdmissionPolicyBinding", "spec")
                            .check(AdmissionPolicyRules::validatingBinding)),
            entry(
                    "apiservices.apiregistration.k8s.io",
                    KindStrategy.of("apiregistration.v1.APIService")
                            .with(
                                    Trait.STATUS,
                                    Trait.WITHOUT_STATUS_TABLE,
                                    Trait.UNDECLARED,
                                    Trait.REQUIRES_VERSION_ON_UPDATE,
                                    Trait.PLAIN_FINALIZERS)
                            .storedAs("apiregistration.k8s.io/apiservices")
                            .names(Names::pathSegment)
                            .updates(METADATA_CHANGE, METADATA, OBJECT)
                            .statusUpdates(METADATA_CHANGE, CHANGE)
                            .onUpdate(ServerKinds::withOldLabels)
                            .onWrite(ServerKinds::withLocalCondition)
                            .check(ApiServiceRules::service)
                            .checkUpdate(ApiServiceRules::statusUpdate)),
            entry(
                    "storageversionmigrations.storagemigration.k8s.io",
                    KindStrategy.of("storagemigration.v1.StorageVersionMigration")
                            .with(Trait.STATUS, Trait.KEEPS_METADATA_IN_STATUS, Trait.REQUIRES_VERSION_ON_UPDATE)
                            .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                            .statusUpdates(METADATA_CHANGE, CHANGE)
                            .check(MigrationRules::migration)
                            .checkUpdate(MigrationRules::update)));

    private ServerKinds() {}

    private static KindStrategy.Entry access(String type) {
        return KindStrategy.of(type)
                .with(Trait.CREATES_ON_UPDATE)
                .names(Names::pathSegment)
                .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE);
    }

    private static KindStrategy.Entry flow(String type) {
        return KindStrategy.of(type)
                .with(Trait.STATUS)
                .generation()
                .updates(METADATA, OBJECT)
                .statusUpdates(CHANGE)
                .onUpdate(ServerKinds::withOldMetadata)
                .checkUpdate(FlowRules::statusUpdate);
    }

    private static KindStrategy.Entry admission(String kind, String counted) {
        return KindStrategy.of("admissionregistration.v1." + kind)
                .generationOf(counted)
                .with(Trait.REQUIRES_VERSION_ON_UPDATE, Trait.PLAIN_FINALIZERS)
                .updates(METADATA, OBJECT)
                .checkCreate(AdmissionWarnings::checkName)
                .warnings(AdmissionWarnings::of);
    }

    /** An update of a status keeps the metadata. */
    private static JsonObject withOldMetadata(JsonObject object, JsonObject old, Part part) {
        JsonObject kept = Members.take(Meta.of(old), "managedFields", Meta.of(object));
        return part == Part.STATUS
                ? object.with("metadata", Members.take(kept, "resourceVersion", Meta.of(object)))
                : object;
    }

    /** An update of a status keeps the metadata that clients set. */
    private static JsonObject withOldLabels(JsonObject service, JsonObject old, Part part) {
        if (part != Part.STATUS) {
            return service;
        }
        JsonObject metadata = Meta.of(service);
        for (String field : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
            metadata = Members.take(metadata, field, Meta.of(old));
        }
        return service.with("metadata", metadata);
    }

    /** An API service without a target is served by this server. */
    private static JsonObject withLocalCondition(
            JsonObject service, @Nullable JsonObject old, Part part, Origin origin) {
        if (old != null || service.object("spec").has("service")) {
            return service;
        }
        JsonObject condition = JsonObject.EMPTY
                .with("type", "Available")
                .with("status", "True")
                .with("lastTransitionTime", origin.now())
                .with("reason", "Local")
                .with("message", "Local APIServices are always available");
        return service.with(List.of("status", "conditions"), JsonArray.of(condition));
    }
}

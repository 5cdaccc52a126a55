/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.apply.OwnableFields;
import io.kubeloop.apiserver.fieldmanager.FieldFilter;
import io.kubeloop.apiserver.fieldmanager.FieldPath;
import io.kubeloop.apiserver.fieldmanager.FieldSet;
import io.kubeloop.apiserver.rest.ServedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The fields of the built-in kinds that no client owns through an endpoint, because the endpoint does not change them
 * (upstream: {@code GetResetFields} of each strategy). Thread-safe: immutable.
 */
public final class ResetFields {

    /** The excluded fields of the endpoints that differ from the rule, by {@code resource.group/subresource}. */
    private static final Map<String, List<String>> EXCLUDED = Map.ofEntries(
            Map.entry("apiservices.apiregistration.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("certificatesigningrequests.certificates.k8s.io", List.of("spec", "status")),
            Map.entry("certificatesigningrequests.certificates.k8s.io/status", List.of("spec", "status.conditions")),
            Map.entry("certificatesigningrequests.certificates.k8s.io/approval", List.of("spec", "status.certificate")),
            Map.entry("csinodes.storage.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("deployments.apps/status", List.of("spec", "metadata.labels")),
            Map.entry("devicetaintrules.resource.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("flowschemas.flowcontrol.apiserver.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("namespaces/finalize", List.of("status")),
            Map.entry("podcertificaterequests.certificates.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("podgroups.scheduling.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("pods/status", List.of("spec", "metadata.deletionTimestamp", "metadata.ownerReferences")),
            Map.entry("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("resourceclaims.resource.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("resourcepoolstatusrequests.resource.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("servicecidrs.networking.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("storageversions.internal.apiserver.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("storageversionmigrations.storagemigration.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("validatingadmissionpolicies.admissionregistration.k8s.io/status", List.of("spec", "metadata")),
            Map.entry("volumeattachments.storage.k8s.io/status", List.of("spec", "metadata")));

    private ResetFields() {}

    /** Returns the fields that can be owned through the endpoints of a resource. */
    public static OwnableFields of(ServedResource resource) {
        OwnableFields rule = resource.subresource("status") == null ? OwnableFields.ALL : OwnableFields.WITH_STATUS;
        return subresource -> {
            String endpoint = subresource.isEmpty() ? resource.toString() : resource + "/" + subresource;
            List<String> excluded = EXCLUDED.get(endpoint);
            return excluded == null ? rule.in(subresource) : FieldFilter.excluding(paths(excluded));
        };
    }

    private static FieldSet paths(List<String> dotted) {
        List<FieldPath> paths = new ArrayList<>();
        dotted.forEach(path -> paths.add(FieldPath.of(path.split("\\.", -1))));
        return FieldSet.of(paths);
    }
}

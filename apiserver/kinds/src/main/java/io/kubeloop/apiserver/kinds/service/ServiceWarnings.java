/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import java.util.ArrayList;
import java.util.List;

/** The warnings about services (upstream: {@code pkg/api/service}). */
final class ServiceWarnings {

    private static final String HINTS = "service.kubernetes.io/topology-aware-hints";
    private static final String NAME_TYPE = "ExternalName";

    private ServiceWarnings() {}

    static List<String> of(FieldCursor service) {
        List<String> warnings = new ArrayList<>();
        FieldCursor spec = service.at("spec");
        if (service.at("metadata", "annotations", HINTS).isSet()) {
            warnings.add(
                    "annotation " + HINTS + " is deprecated, please use service.kubernetes.io/topology-mode instead");
        }
        boolean isHeadless = spec.at("type").text().equals("ClusterIP")
                && spec.at("clusterIP").text().equals("None");
        boolean isName = spec.at("type").text().equals(NAME_TYPE);
        FieldCursor external = spec.at("externalIPs");
        FieldCursor balancer = spec.at("loadBalancerIP");
        if (!isHeadless && !isName && !spec.at("clusterIP").isEmpty()) {
            spec.at("clusterIPs").each(ip -> warnings.addAll(AddressRules.ipWarnings(ip.path(), ip.text())));
        }
        if (isHeadless) {
            headless(spec, warnings);
        }
        external.each(ip -> warnings.addAll(AddressRules.ipWarnings(ip.path(), ip.text())));
        if (!external.isEmpty() && !isHeadless && !isName) {
            warnings.add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
        }
        warnings.addAll(AddressRules.ipWarnings(balancer.path(), balancer.text()));
        spec.at("loadBalancerSourceRanges")
                .each(range -> warnings.addAll(AddressRules.cidrWarnings(range.path(), range.text())));
        if (isName && !external.isEmpty()) {
            warnings.add("spec.externalIPs is ignored when spec.type is \"" + NAME_TYPE + "\"");
        }
        if (!isName && !spec.at("externalName").isEmpty()) {
            warnings.add("spec.externalName is ignored when spec.type is not \"" + NAME_TYPE + "\"");
        }
        if (spec.at("trafficDistribution").text().equals("PreferClose")) {
            warnings.add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
        }
        return warnings;
    }

    private static void headless(FieldCursor spec, List<String> warnings) {
        if (!spec.at("loadBalancerIP").isEmpty()) {
            warnings.add("spec.loadBalancerIP is ignored for headless services");
        }
        if (!spec.at("externalIPs").isEmpty()) {
            warnings.add("spec.externalIPs is ignored for headless services");
        }
        if (!spec.at("sessionAffinity").text().equals("None")) {
            warnings.add("spec.SessionAffinity is ignored for headless services");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes the fields of the old type from a service that changes its type. A field that the client has changed in
 * the same update stays, because the client set it on purpose (upstream: {@code dropTypeDependentFields} in {@code
 * registry/core/service/strategy.go}).
 */
final class ServiceTransitions {

    private static final String CLASS = "loadBalancerClass";
    private static final String ALLOCATE = "allocateLoadBalancerNodePorts";
    private static final String CHECK_PORT = "healthCheckNodePort";
    private static final String EXTERNAL_POLICY = "externalTrafficPolicy";

    private ServiceTransitions() {}

    static JsonObject drop(JsonObject wanted, JsonObject old) {
        JsonObject spec = wanted;
        if (ServiceSpecs.hasAddress(old) && !ServiceSpecs.hasAddress(spec)) {
            spec = dropAddresses(spec, old);
        }
        if (ServiceSpecs.hasNodePorts(old) && !ServiceSpecs.hasNodePorts(spec)) {
            spec = dropNodePorts(spec, old);
        }
        if (ServiceSpecs.hasHealthCheckPort(old) && !ServiceSpecs.hasHealthCheckPort(spec)) {
            spec = dropIfSame(spec, old, CHECK_PORT);
        }
        if (ServiceSpecs.isLoadBalancer(old) && !ServiceSpecs.isLoadBalancer(spec)) {
            spec = dropIfSame(dropIfSame(spec, old, ALLOCATE), old, CLASS);
        }
        return ServiceSpecs.isExternallyAccessible(old) && !ServiceSpecs.isExternallyAccessible(spec)
                ? dropIfSame(spec, old, EXTERNAL_POLICY)
                : spec;
    }

    private static JsonObject dropAddresses(JsonObject spec, JsonObject old) {
        JsonObject result = spec;
        if (spec.string("clusterIP").equals(old.string("clusterIP"))
                && ServiceSpecs.addresses(spec).equals(ServiceSpecs.addresses(old))) {
            result = result.without("clusterIP").without("clusterIPs");
        }
        return dropIfSame(dropIfSame(result, old, "ipFamilies"), old, "ipFamilyPolicy");
    }

    private static JsonObject dropNodePorts(JsonObject spec, JsonObject old) {
        Set<Long> before = new HashSet<>(ServiceSpecs.nodePorts(old));
        if (!before.containsAll(ServiceSpecs.nodePorts(spec))) {
            return spec;
        }
        List<JsonObject> ports = ServiceSpecs.ports(spec).stream()
                .map(port -> port.without("nodePort"))
                .toList();
        return ServiceSpecs.withPorts(spec, ports);
    }

    private static JsonObject dropIfSame(JsonObject spec, JsonObject old, String field) {
        return spec.has(field) && Members.take(spec, field, old).equals(spec) ? spec.without(field) : spec;
    }
}

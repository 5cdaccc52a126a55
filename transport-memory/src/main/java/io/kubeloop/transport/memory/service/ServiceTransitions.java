package io.kubeloop.transport.memory.service;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.Members;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Drops from a service that becomes one of another type what it no longer has a use for, unless the client has changed that,
 * too, and so seems to mean it (upstream: {@code dropTypeDependentFields} in {@code registry/core/service/strategy.go}).
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
        if (ServiceSpecs.isOnNodes(old) && !ServiceSpecs.isOnNodes(spec)) {
            spec = dropNodePorts(spec, old);
        }
        if (ServiceSpecs.isHealthChecked(old) && !ServiceSpecs.isHealthChecked(spec)) {
            spec = dropIfSame(spec, old, CHECK_PORT);
        }
        if (ServiceSpecs.isBalanced(old) && !ServiceSpecs.isBalanced(spec)) {
            spec = dropIfSame(dropIfSame(spec, old, ALLOCATE), old, CLASS);
        }
        return ServiceSpecs.isReachedFromOutside(old) && !ServiceSpecs.isReachedFromOutside(spec)
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

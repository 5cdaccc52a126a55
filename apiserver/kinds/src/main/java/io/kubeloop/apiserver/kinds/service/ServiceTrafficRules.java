/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of the traffic of a service: load balancers, and the selection of endpoints. */
final class ServiceTrafficRules {

    private static final String RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";
    private static final String BALANCED_ONLY = "may only be used when `type` is 'LoadBalancer'";
    private static final String CLASS = "spec.loadBalancerClass";
    private static final String CHECK_PORT = "spec.healthCheckNodePort";
    private static final List<String> POLICIES = List.of("Cluster", ServiceSpecs.LOCAL);
    private static final List<String> DISTRIBUTIONS = List.of("PreferClose", "PreferSameZone", "PreferSameNode");

    private ServiceTrafficRules() {}

    static void check(JsonObject service, @Nullable JsonObject old, FieldErrors errors) {
        JsonObject spec = service.object("spec");
        if (!spec.array("loadBalancerSourceRanges").isEmpty()) {
            sourceRanges(spec, old == null ? JsonObject.EMPTY : old.object("spec"), errors);
        } else {
            annotatedRanges(service, old, errors);
        }
        if (spec.has("allocateLoadBalancerNodePorts") && !ServiceSpecs.isLoadBalancer(spec)) {
            errors.forbidden("spec.allocateLoadBalancerNodePorts", BALANCED_ONLY);
        }
        balancerClass(spec, errors);
        externalPolicy(spec, errors);
        healthCheckPort(spec, errors);
        internalPolicy(spec, errors);
        if (spec.has("trafficDistribution")) {
            errors.oneOf("spec.trafficDistribution", spec.string("trafficDistribution"), DISTRIBUTIONS);
        }
    }

    private static void sourceRanges(JsonObject spec, JsonObject old, FieldErrors errors) {
        String field = "spec.LoadBalancerSourceRanges";
        if (!ServiceSpecs.isLoadBalancer(spec)) {
            errors.forbidden(field, BALANCED_ONLY);
        }
        List<String> kept = ranges(old);
        List<String> ranges = ranges(spec);
        for (int i = 0; i < ranges.size(); i++) {
            AddressRules.cidr(field + "[" + i + "]", ranges.get(i), kept, errors);
        }
    }

    private static List<String> ranges(JsonObject spec) {
        return spec.array("loadBalancerSourceRanges")
                .strings()
                .map(String::strip)
                .toList();
    }

    /** Checks the annotation that preceded the field. */
    private static void annotatedRanges(JsonObject service, @Nullable JsonObject old, FieldErrors errors) {
        if (!annotations(service).has(RANGES_ANNOTATION)) {
            return;
        }
        String field = "metadata.annotations[" + RANGES_ANNOTATION + "]";
        if (!ServiceSpecs.isLoadBalancer(service.object("spec"))) {
            errors.forbidden(field, BALANCED_ONLY);
        }
        String value = annotations(service).string(RANGES_ANNOTATION);
        boolean kept = old != null && annotations(old).string(RANGES_ANNOTATION).equals(value);
        if (!kept && !value.isBlank()) {
            Arrays.stream(value.split(",", -1))
                    .forEach(range -> AddressRules.cidr(field, range.strip(), List.of(), errors));
        }
    }

    private static JsonObject annotations(JsonObject service) {
        return service.object("metadata", "annotations");
    }

    private static void balancerClass(JsonObject spec, FieldErrors errors) {
        if (!spec.has("loadBalancerClass")) {
            return;
        }
        if (ServiceSpecs.isLoadBalancer(spec)) {
            String value = spec.string("loadBalancerClass");
            errors.invalid(CLASS, value, NameValidation.qualifiedName(value));
        } else {
            errors.forbidden(CLASS, BALANCED_ONLY);
        }
    }

    private static void externalPolicy(JsonObject spec, FieldErrors errors) {
        String field = "spec.externalTrafficPolicy";
        String policy = spec.string("externalTrafficPolicy");
        if (ServiceSpecs.isExternallyAccessible(spec)) {
            errors.oneOf(field, policy, POLICIES);
        } else if (!policy.isEmpty()) {
            errors.invalid(field, policy, "may only be set for externally-accessible services");
        }
    }

    private static void healthCheckPort(JsonObject spec, FieldErrors errors) {
        long port = ServiceSpecs.number(spec, "healthCheckNodePort");
        if (ServiceSpecs.hasHealthCheckPort(spec)) {
            PortRules.number(CHECK_PORT, spec.get("healthCheckNodePort"), errors);
        } else if (port != 0) {
            errors.invalid(
                    CHECK_PORT,
                    JsonNumber.of(port),
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
    }

    private static void internalPolicy(JsonObject spec, FieldErrors errors) {
        if (spec.has("internalTrafficPolicy")) {
            errors.oneOf("spec.internalTrafficPolicy", spec.string("internalTrafficPolicy"), POLICIES);
        }
    }

    static void checkUpdate(JsonObject spec, JsonObject old, FieldErrors errors) {
        if (ServiceSpecs.isLoadBalancer(spec)
                && ServiceSpecs.isLoadBalancer(old)
                && !Members.take(spec, "loadBalancerClass", old).equals(spec)) {
            JsonValue value = spec.get("loadBalancerClass");
            errors.invalid(CLASS, value == null ? JsonNull.NULL : value, "may not change once set");
        }
        // As upstream, this check runs a second time with the whole service, so its errors appear twice.
        balancerClass(spec, errors);
        if (ServiceSpecs.hasHealthCheckPort(spec)
                && ServiceSpecs.hasHealthCheckPort(old)
                && ServiceSpecs.number(spec, "healthCheckNodePort")
                        != ServiceSpecs.number(old, "healthCheckNodePort")) {
            errors.forbidden(CHECK_PORT, "field is immutable");
        }
    }
}

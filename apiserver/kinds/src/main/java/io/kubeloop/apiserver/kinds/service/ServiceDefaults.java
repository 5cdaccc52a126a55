/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.rest.Defaults;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;

/** The defaults of a service (upstream: {@code pkg/apis/core/v1/defaults.go}). */
final class ServiceDefaults {

    private static final Defaults DEFAULTS = Defaults.parse("""
        +spec.sessionAffinity = "None"
        spec.type = "ClusterIP"
        spec.ports[].protocol = "TCP"
        """);

    private static final Defaults AFFINITY = Defaults.parse("+sessionAffinityConfig.+clientIP.timeoutSeconds = 10800");

    private static final Defaults INGRESS_MODE = Defaults.parse("ipMode = \"VIP\"");

    private static final List<String> TYPES_WITH_ADDRESS = List.of("ClusterIP", "NodePort", ServiceSpecs.LOAD_BALANCER);

    private ServiceDefaults() {}

    static JsonObject apply(JsonObject object) {
        JsonObject defaulted = DEFAULTS.apply(object);
        JsonObject spec = defaulted.object("spec");
        spec = withoutZero(traffic(affinity(ports(spec))), "healthCheckNodePort");
        return ServiceSpecs.isLoadBalancer(spec) ? ingress(defaulted.with("spec", spec)) : defaulted.with("spec", spec);
    }

    /** Client IP affinity lasts three hours by default; without affinity its configuration is removed. */
    private static JsonObject affinity(JsonObject spec) {
        return spec.string("sessionAffinity").equals("ClientIP")
                ? AFFINITY.apply(spec)
                : spec.without("sessionAffinityConfig");
    }

    private static JsonObject ports(JsonObject spec) {
        return ServiceSpecs.withPorts(
                spec,
                ServiceSpecs.ports(spec).stream()
                        .map(port -> withoutZero(targetPort(port), "nodePort"))
                        .toList());
    }

    private static JsonObject targetPort(JsonObject port) {
        JsonValue target = port.get("targetPort");
        boolean unset = target == null
                || target.equals(new JsonString(""))
                || Long.valueOf(0).equals(port.number("targetPort"));
        return unset ? port.with("targetPort", ServiceSpecs.number(port, "port")) : port;
    }

    private static JsonObject traffic(JsonObject spec) {
        JsonObject result = spec;
        if (ServiceSpecs.isExternallyAccessible(spec)
                && spec.string("externalTrafficPolicy").isEmpty()) {
            result = result.with("externalTrafficPolicy", "Cluster");
        }
        if (!spec.has("internalTrafficPolicy") && TYPES_WITH_ADDRESS.contains(ServiceSpecs.type(spec))) {
            result = result.with("internalTrafficPolicy", "Cluster");
        }
        return ServiceSpecs.isLoadBalancer(spec) && !spec.has("allocateLoadBalancerNodePorts")
                ? result.with("allocateLoadBalancerNodePorts", true)
                : result;
    }

    private static JsonObject ingress(JsonObject service) {
        JsonObject balancer = service.object("status", "loadBalancer");
        List<JsonObject> ingress = balancer.array("ingress")
                .objects()
                .map(one -> one.string("ip").isEmpty() || one.has("ipMode") ? one : INGRESS_MODE.apply(one))
                .toList();
        return ingress.isEmpty()
                ? service
                : service.with(List.of("status", "loadBalancer", "ingress"), JsonArray.of(ingress));
    }

    /** Upstream treats zero like an absent number and does not return it. */
    private static JsonObject withoutZero(JsonObject object, String field) {
        return Long.valueOf(0).equals(object.number(field)) ? object.without(field) : object;
    }
}

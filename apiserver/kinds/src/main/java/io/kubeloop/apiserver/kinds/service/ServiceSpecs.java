/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Derived properties of the spec of a service. */
final class ServiceSpecs {

    static final String NONE = "None";
    static final String LOAD_BALANCER = "LoadBalancer";
    static final String LOCAL = "Local";

    private ServiceSpecs() {}

    static String type(JsonObject spec) {
        return spec.string("type");
    }

    static boolean hasAddress(JsonObject spec) {
        return !type(spec).equals("ExternalName");
    }

    static boolean isHeadless(JsonObject spec) {
        return addresses(spec).equals(List.of(NONE));
    }

    static boolean hasSelector(JsonObject spec) {
        return !spec.object("selector").isEmpty();
    }

    static boolean isLoadBalancer(JsonObject spec) {
        return type(spec).equals(LOAD_BALANCER);
    }

    static boolean hasNodePorts(JsonObject spec) {
        return type(spec).equals("NodePort") || isLoadBalancer(spec);
    }

    /** Returns whether its node ports are allocated automatically. */
    static boolean allocatesNodePorts(JsonObject spec) {
        return hasNodePorts(spec)
                && !(isLoadBalancer(spec)
                        && spec.has("allocateLoadBalancerNodePorts")
                        && !spec.bool("allocateLoadBalancerNodePorts"));
    }

    static boolean isExternallyAccessible(JsonObject spec) {
        return hasNodePorts(spec)
                || (type(spec).equals("ClusterIP") && !spec.array("externalIPs").isEmpty());
    }

    /** Returns whether a load balancer uses a health check port to find the nodes with endpoints. */
    static boolean hasHealthCheckPort(JsonObject spec) {
        return isLoadBalancer(spec) && spec.string("externalTrafficPolicy").equals(LOCAL);
    }

    static List<String> addresses(JsonObject spec) {
        return spec.array("clusterIPs").strings().toList();
    }

    static List<String> families(JsonObject spec) {
        return spec.array("ipFamilies").strings().toList();
    }

    static List<JsonObject> ports(JsonObject spec) {
        return spec.array("ports").objects().toList();
    }

    /** Returns the node ports, regardless of the type of the service. */
    static List<Long> nodePorts(JsonObject spec) {
        return ports(spec).stream()
                .map(port -> number(port, "nodePort"))
                .filter(port -> port != 0)
                .toList();
    }

    /** Returns a number; zero if it is absent. */
    static long number(JsonObject object, String field) {
        Long number = object.number(field);
        return number == null ? 0 : number;
    }

    /** Returns the spec with this list; an empty list removes the field. */
    static JsonObject with(JsonObject spec, String field, List<String> values) {
        return values.isEmpty() ? spec.without(field) : spec.with(field, JsonArray.ofStrings(values));
    }

    /** Returns the spec with these ports, which must be as many as before. */
    static JsonObject withPorts(JsonObject spec, List<JsonObject> ports) {
        return ports.isEmpty() ? spec : spec.with("ports", JsonArray.of(ports));
    }
}

package io.kubeloop.transport.memory.service;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** What can be said of the spec of a service by looking at it. */
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

    static boolean isBalanced(JsonObject spec) {
        return type(spec).equals(LOAD_BALANCER);
    }

    static boolean isOnNodes(JsonObject spec) {
        return type(spec).equals("NodePort") || isBalanced(spec);
    }

    /** Returns whether its ports on the nodes are given out unasked. */
    static boolean isGivenNodePorts(JsonObject spec) {
        return isOnNodes(spec)
                && !(isBalanced(spec)
                        && spec.has("allocateLoadBalancerNodePorts")
                        && !spec.bool("allocateLoadBalancerNodePorts"));
    }

    static boolean isReachedFromOutside(JsonObject spec) {
        return isOnNodes(spec)
                || (type(spec).equals("ClusterIP") && !spec.array("externalIPs").isEmpty());
    }

    /** Returns whether the nodes tell a load balancer which of them have pods. */
    static boolean isHealthChecked(JsonObject spec) {
        return isBalanced(spec) && spec.string("externalTrafficPolicy").equals(LOCAL);
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

    /** Returns the ports on the nodes, of whatever type the service is. */
    static List<Long> nodePorts(JsonObject spec) {
        return ports(spec).stream()
                .map(port -> number(port, "nodePort"))
                .filter(port -> port != 0)
                .toList();
    }

    /** Returns a number, zero if there is none. */
    static long number(JsonObject object, String field) {
        Long number = object.number(field);
        return number == null ? 0 : number;
    }

    /** Returns the spec with this list, which is left out when it is empty. */
    static JsonObject with(JsonObject spec, String field, List<String> values) {
        return values.isEmpty() ? spec.without(field) : spec.with(field, JsonArray.ofStrings(values));
    }

    /** Returns the spec with these ports, of which there were as many before. */
    static JsonObject withPorts(JsonObject spec, List<JsonObject> ports) {
        return ports.isEmpty() ? spec : spec.with("ports", JsonArray.of(ports));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of services (upstream: {@code pkg/apis/core/validation}). */
final class ServiceRules {

    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final List<String> AFFINITIES = List.of("ClientIP", "None");
    private static final int MAX_AFFINITY_SECONDS = 86400;
    private static final String HINTS = "service.kubernetes.io/topology-aware-hints";
    private static final String MODE = "service.kubernetes.io/topology-mode";

    private ServiceRules() {}

    static void check(JsonObject service, @Nullable JsonObject old, FieldErrors errors) {
        JsonObject spec = service.object("spec");
        topology(service.object("metadata", "annotations"), errors);
        if (ServiceSpecs.ports(spec).isEmpty() && !ServiceSpecs.isHeadless(spec) && ServiceSpecs.hasAddress(spec)) {
            errors.required("spec.ports", "");
        }
        if (ServiceSpecs.isHeadless(spec) && ServiceSpecs.hasNodePorts(spec)) {
            errors.invalid(
                    "spec.clusterIPs[0]",
                    ServiceSpecs.NONE,
                    "may not be set to 'None' for " + ServiceSpecs.type(spec) + " services");
        }
        if (!ServiceSpecs.hasAddress(spec)) {
            externalName(spec, errors);
        }
        ServicePortRules.check(ServiceSpecs.ports(spec), errors);
        MetaValidation.labels("spec.selector", spec.object("selector"), errors);
        affinity(spec, errors);
        ClusterIpRules.check(spec, old == null ? null : old.object("spec"), errors);
        externalAddresses(spec, old == null ? JsonObject.EMPTY : old.object("spec"), errors);
        errors.oneOf("spec.type", ServiceSpecs.type(spec), TYPES);
        ServicePortRules.checkNodePorts(spec, errors);
        ServicePortRules.checkUnique(ServiceSpecs.ports(spec), errors);
        ServiceTrafficRules.check(service, old, errors);
    }

    private static void topology(JsonObject annotations, FieldErrors errors) {
        String mode = annotations.string(MODE);
        if (annotations.has(MODE) && annotations.has(HINTS) && !mode.equals(annotations.string(HINTS))) {
            errors.invalid(
                    "metadata.annotations[" + MODE + "]",
                    mode,
                    "must match annotations[" + HINTS + "] when both are specified");
        }
    }

    private static void externalName(JsonObject spec, FieldErrors errors) {
        for (String field : List.of("clusterIPs", "ipFamilies")) {
            if (!spec.array(field).isEmpty()) {
                errors.forbidden("spec." + field, "may not be set for ExternalName services");
            }
        }
        if (spec.has("ipFamilyPolicy")) {
            errors.forbidden("spec.ipFamilyPolicy", "may not be set for ExternalName services");
        }
        String name = spec.string("externalName");
        String relative = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (relative.isEmpty()) {
            errors.required("spec.externalName", "");
        } else {
            errors.invalid("spec.externalName", relative, NameValidation.dns1123Subdomain(relative));
        }
    }

    private static void affinity(JsonObject spec, FieldErrors errors) {
        errors.oneOf("spec.sessionAffinity", spec.string("sessionAffinity"), AFFINITIES);
        if (spec.string("sessionAffinity").equals("ClientIP")) {
            long seconds = ServiceSpecs.number(spec.object("sessionAffinityConfig", "clientIP"), "timeoutSeconds");
            if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS) {
                errors.invalid(
                        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                        JsonNumber.of(seconds),
                        "must be greater than 0 and less than " + MAX_AFFINITY_SECONDS);
            }
        }
    }

    private static void externalAddresses(JsonObject spec, JsonObject old, FieldErrors errors) {
        List<String> kept = old.array("externalIPs").strings().toList();
        List<String> addresses = spec.array("externalIPs").strings().toList();
        for (int i = 0; i < addresses.size(); i++) {
            String field = "spec.externalIPs[" + i + "]";
            if (AddressRules.ip(field, addresses.get(i), kept, errors)) {
                AddressRules.reachable(field, addresses.get(i), errors);
            }
        }
    }

    static void checkUpdate(JsonObject spec, JsonObject old, FieldErrors errors) {
        ClusterIpRules.checkUpdate(spec, old, errors);
        ServiceTrafficRules.checkUpdate(spec, old, errors);
    }

    /** Checks the status that a load balancer has reported. */
    static void checkStatus(JsonObject service, JsonObject old, FieldErrors errors) {
        List<JsonObject> ingress = ingress(service);
        if (!ServiceSpecs.isLoadBalancer(service.object("spec")) && !ingress.isEmpty()) {
            errors.forbidden("status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'");
            return;
        }
        List<String> kept = ingress(old).stream().map(one -> one.string("ip")).toList();
        for (int i = 0; i < ingress.size(); i++) {
            ingress("status.loadBalancer.ingress[" + i + "]", ingress.get(i), kept, errors);
        }
    }

    private static List<JsonObject> ingress(JsonObject service) {
        return service.array("status", "loadBalancer", "ingress").objects().toList();
    }

    private static void ingress(String field, JsonObject ingress, List<String> kept, FieldErrors errors) {
        String ip = ingress.string("ip");
        if (!ip.isEmpty()) {
            AddressRules.ip(field + ".ip", ip, kept, errors);
        }
        if (!ingress.has("ipMode")) {
            if (!ip.isEmpty()) {
                errors.required(field + ".ipMode", "must be specified when `ip` is set");
            }
        } else if (ip.isEmpty()) {
            errors.forbidden(field + ".ipMode", "may not be specified when `ip` is not set");
        } else {
            errors.oneOf(field + ".ipMode", ingress.string("ipMode"), List.of("Proxy", "VIP"));
        }
        String host = ingress.string("hostname");
        if (!host.isEmpty()) {
            errors.invalid(field + ".hostname", host, NameValidation.dns1123Subdomain(host));
            if (NameValidation.ip(host).isEmpty()) {
                errors.invalid(field + ".hostname", new JsonString(host), "must be a DNS name, not an IP address");
            }
        }
    }

    /** Validation of the ports of a service. */
    private static final class ServicePortRules {

        private ServicePortRules() {}

        static void check(List<JsonObject> ports, FieldErrors errors) {
            Set<String> names = new HashSet<>();
            for (int i = 0; i < ports.size(); i++) {
                JsonObject port = ports.get(i);
                String field = field(i);
                String name = port.string("name");
                if (name.isEmpty() && ports.size() > 1) {
                    errors.required(field + ".name", "");
                } else if (!name.isEmpty()) {
                    errors.invalid(field + ".name", name, NameValidation.dns1123Label(name));
                    if (!names.add(name)) {
                        errors.duplicate(field + ".name", new JsonString(name));
                    }
                }
                PortRules.numberOrZero(field + ".port", port.get("port"), errors);
                PortRules.protocol(field + ".protocol", port.string("protocol"), errors);
                PortRules.numberOrName(field + ".targetPort", port.get("targetPort"), errors);
                PortRules.applicationProtocol(field + ".appProtocol", port, errors);
            }
        }

        static void checkNodePorts(JsonObject spec, FieldErrors errors) {
            List<JsonObject> ports = ServiceSpecs.ports(spec);
            Set<String> uses = new HashSet<>();
            for (int i = 0; i < ports.size(); i++) {
                long nodePort = ServiceSpecs.number(ports.get(i), "nodePort");
                if (nodePort != 0 && ServiceSpecs.type(spec).equals("ClusterIP")) {
                    errors.forbidden(field(i) + ".nodePort", "may not be used when `type` is 'ClusterIP'");
                }
            }
            for (int i = 0; i < ports.size(); i++) {
                long nodePort = ServiceSpecs.number(ports.get(i), "nodePort");
                if (nodePort != 0 && !uses.add(nodePort + "/" + ports.get(i).string("protocol"))) {
                    errors.duplicate(field(i) + ".nodePort", JsonNumber.of(nodePort));
                }
            }
        }

        static void checkUnique(List<JsonObject> ports, FieldErrors errors) {
            Set<String> uses = new HashSet<>();
            for (int i = 0; i < ports.size(); i++) {
                long number = ServiceSpecs.number(ports.get(i), "port");
                String protocol = ports.get(i).string("protocol");
                if (!uses.add(number + "/" + protocol)) {
                    errors.duplicate(field(i), shown(protocol, number));
                }
            }
        }

        /** Upstream's message shows all fields of its internal port type. */
        private static JsonObject shown(String protocol, long number) {
            return JsonObject.builder()
                    .put("Name", "")
                    .put("Protocol", protocol)
                    .put("AppProtocol", JsonNull.NULL)
                    .put("Port", number)
                    .put("TargetPort", 0)
                    .put("NodePort", 0)
                    .build();
        }

        private static String field(int index) {
            return "spec.ports[" + index + "]";
        }
    }
}

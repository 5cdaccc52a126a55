/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Completes the addresses and IP families that a client has specified, and rejects those that the cluster does not
 * serve (upstream: {@code registry/core/service/storage}, {@code initIPFamilyFields} and its callers).
 *
 * @param served the IP families of the cluster; services have the first unless they request another
 * @param name the name of the service
 */
record ServiceFamilies(List<String> served, String name) {

    static final String V4 = "IPv4";
    static final String V6 = "IPv6";
    static final String SINGLE = "SingleStack";
    static final String PREFER_DUAL = "PreferDualStack";
    static final String REQUIRE_DUAL = "RequireDualStack";

    private static final String POLICY = "spec.ipFamilyPolicy";

    JsonObject create(JsonObject wanted) {
        JsonObject spec = wanted;
        if (!spec.string("clusterIP").isEmpty() && ServiceSpecs.addresses(spec).isEmpty()) {
            spec = ServiceSpecs.with(spec, "clusterIPs", List.of(spec.string("clusterIP")));
        }
        return complete(spec, null);
    }

    JsonObject update(JsonObject wanted, JsonObject old) {
        return complete(followAddress(keepGiven(wanted, old), old), old);
    }

    /** An update that omits allocated values keeps them. */
    private static JsonObject keepGiven(JsonObject wanted, JsonObject old) {
        JsonObject spec = wanted;
        if (ServiceSpecs.hasAddress(old) && ServiceSpecs.hasAddress(spec)) {
            if (spec.string("clusterIP").isEmpty()) {
                spec = Members.take(spec, "clusterIP", old);
            }
            if (ServiceSpecs.addresses(spec).isEmpty()) {
                spec = Members.take(spec, "clusterIPs", old);
            }
        }
        if (ServiceSpecs.allocatesNodePorts(old) && ServiceSpecs.allocatesNodePorts(spec)) {
            spec = ServiceSpecs.withPorts(spec, keepNodePorts(spec, old));
        }
        boolean checked = ServiceSpecs.hasHealthCheckPort(old) && ServiceSpecs.hasHealthCheckPort(spec);
        return checked && !spec.has("healthCheckNodePort") ? Members.take(spec, "healthCheckNodePort", old) : spec;
    }

    private static List<JsonObject> keepNodePorts(JsonObject spec, JsonObject old) {
        List<Long> used = new ArrayList<>(ServiceSpecs.nodePorts(old));
        used.retainAll(ServiceSpecs.nodePorts(spec));
        Map<String, Long> byName = new HashMap<>();
        ServiceSpecs.ports(old).forEach(port -> byName.put(port.string("name"), ServiceSpecs.number(port, "nodePort")));
        List<JsonObject> ports = new ArrayList<>();
        for (JsonObject port : ServiceSpecs.ports(spec)) {
            long before = byName.getOrDefault(port.string("name"), 0L);
            boolean keeps = before != 0 && !used.contains(before) && !port.has("nodePort");
            ports.add(keeps ? port.with("nodePort", before) : port);
        }
        return ports;
    }

    /** A client that changes only one of {@code clusterIP} and {@code clusterIPs} changes both. */
    private static JsonObject followAddress(JsonObject spec, JsonObject old) {
        String address = spec.string("clusterIP");
        String before = old.string("clusterIP");
        List<String> oldAddresses = ServiceSpecs.addresses(old);
        if (address.equals(before)) {
            return ServiceSpecs.addresses(spec).isEmpty() && !oldAddresses.isEmpty()
                    ? ServiceSpecs.with(spec, "clusterIPs", oldAddresses)
                    : spec;
        }
        if (!ServiceSpecs.addresses(spec).equals(oldAddresses)) {
            return spec;
        }
        return ServiceSpecs.with(spec, "clusterIPs", address.isEmpty() ? List.of() : List.of(address));
    }

    private JsonObject complete(JsonObject wanted, @Nullable JsonObject old) {
        if (!ServiceSpecs.hasAddress(wanted) || (old != null && isUnchangedPreference(wanted, old))) {
            return wanted;
        }
        JsonObject spec = wanted.has("ipFamilyPolicy") ? wanted : wanted.with("ipFamilyPolicy", policy(wanted, old));
        FieldErrors errors = new FieldErrors();
        ClusterIpRules.check(spec, old, errors);
        throwIfInvalid(errors);
        spec = fewer(spec, old, errors);
        spec = inferFamilies(spec, errors);
        throwIfInvalid(errors);
        boolean anywhere = spec.string("clusterIP").equals(ServiceSpecs.NONE) && !ServiceSpecs.hasSelector(spec);
        if (!anywhere) {
            requireServed(spec, errors);
            throwIfInvalid(errors);
        }
        List<String> families = new ArrayList<>(ServiceSpecs.families(spec));
        if (families.isEmpty()) {
            families.add(served.get(0));
        }
        // A headless service without selector may have endpoints of any family, regardless of the cluster.
        boolean both = anywhere || served.size() == 2;
        if (both && families.size() < 2 && !spec.string("ipFamilyPolicy").equals(SINGLE)) {
            families.add(families.get(0).equals(V4) ? V6 : V4);
        }
        return ServiceSpecs.with(spec, "ipFamilies", families);
    }

    /** Returns whether a service with the policy {@code PreferDualStack} is unchanged and needs no completion. */
    private static boolean isUnchangedPreference(JsonObject spec, JsonObject old) {
        return spec.string("ipFamilyPolicy").equals(PREFER_DUAL)
                && old.string("ipFamilyPolicy").equals(PREFER_DUAL)
                && ServiceSpecs.type(spec).equals(ServiceSpecs.type(old))
                && ServiceSpecs.addresses(spec).equals(ServiceSpecs.addresses(old))
                && ServiceSpecs.families(spec).equals(ServiceSpecs.families(old));
    }

    private static String policy(JsonObject spec, @Nullable JsonObject old) {
        if (old != null && old.has("ipFamilyPolicy")) {
            return old.string("ipFamilyPolicy");
        }
        boolean anywhere = spec.string("clusterIP").equals(ServiceSpecs.NONE) && !ServiceSpecs.hasSelector(spec);
        return anywhere ? REQUIRE_DUAL : SINGLE;
    }

    /**
     * Reduces a service to one address and one family if its policy is {@code SingleStack}. Without that policy,
     * fewer of them than before are an error.
     */
    private static JsonObject fewer(JsonObject wanted, @Nullable JsonObject old, FieldErrors errors) {
        JsonObject spec = wanted;
        String policy = spec.string("ipFamilyPolicy");
        if (!policy.equals(SINGLE)) {
            if (old != null) {
                reduced(spec, old, "clusterIPs", "cluster IP", errors);
                reduced(spec, old, "ipFamilies", "IP family", errors);
            }
            return spec;
        }
        if (old != null) {
            spec = firstIfSame(spec, old, "clusterIPs");
            spec = firstIfSame(spec, old, "ipFamilies");
        }
        if (ServiceSpecs.addresses(spec).size() == 2) {
            several(policy, "cluster IPs", errors);
        }
        if (ServiceSpecs.families(spec).size() == 2) {
            several(policy, "IP families", errors);
        }
        return spec;
    }

    private static void several(String policy, String what, FieldErrors errors) {
        errors.invalid(
                POLICY,
                policy,
                "must be 'RequireDualStack' or 'PreferDualStack' when multiple " + what + " are specified");
    }

    private static void reduced(JsonObject spec, JsonObject old, String field, String what, FieldErrors errors) {
        int left = spec.array(field).size();
        if (left > 0 && left < old.array(field).size()) {
            errors.invalid(
                    POLICY, spec.string("ipFamilyPolicy"), "must be 'SingleStack' to release the secondary " + what);
        }
    }

    private static JsonObject firstIfSame(JsonObject spec, JsonObject old, String field) {
        JsonArray values = spec.array(field);
        return values.size() > 1 && values.equals(old.array(field))
                ? spec.with(field, JsonArray.of(values.get(0)))
                : spec;
    }

    private JsonObject inferFamilies(JsonObject spec, FieldErrors errors) {
        List<String> addresses = ServiceSpecs.addresses(spec);
        List<String> families = new ArrayList<>(ServiceSpecs.families(spec));
        if (!ServiceSpecs.isHeadless(spec)) {
            for (int i = families.size(); i < addresses.size(); i++) {
                String family = ServiceRange.family(addresses.get(i));
                if (served.contains(family)) {
                    families.add(family);
                } else {
                    errors.invalid(
                            "spec.clusterIPs[" + i + "]",
                            spec.array("clusterIPs"),
                            family + " is not configured on this cluster");
                }
            }
        }
        return ServiceSpecs.with(spec, "ipFamilies", families);
    }

    private void requireServed(JsonObject spec, FieldErrors errors) {
        if (spec.string("ipFamilyPolicy").equals(REQUIRE_DUAL) && served.size() < 2) {
            errors.invalid(POLICY, REQUIRE_DUAL, "this cluster is not configured for dual-stack services");
        }
        List<String> families = ServiceSpecs.families(spec);
        for (int i = 0; i < families.size(); i++) {
            if (!served.contains(families.get(i))) {
                errors.invalid(
                        "spec.ipFamilies[" + i + "]",
                        new JsonString(families.get(i)),
                        "not configured on this cluster");
            }
        }
    }

    private void throwIfInvalid(FieldErrors errors) {
        if (!errors.isEmpty()) {
            throw StatusException.invalid("", "Service", name, errors);
        }
    }
}

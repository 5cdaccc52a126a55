/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.network;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Validation of the endpoints of an EndpointSlice (upstream: {@code pkg/apis/discovery/validation}). */
final class SliceEndpointRules {

    private static final int MAX_ADDRESSES = 100;
    private static final int MAX_HINTS = 8;

    private SliceEndpointRules() {}

    /** Validates an endpoint of a slice. */
    static void check(String path, JsonObject endpoint, String addressType, FieldErrors errors) {
        addresses(path + ".addresses", endpoint.array("addresses").strings().toList(), addressType, errors);
        if (endpoint.has("nodeName")) {
            String node = endpoint.string("nodeName");
            errors.invalid(path + ".nodeName", node, NameValidation.dns1123Subdomain(node));
        }
        if (endpoint.has("hostname")) {
            String host = endpoint.string("hostname");
            errors.invalid(path + ".hostname", host, NameValidation.dns1123Label(host));
        }
        JsonObject hints = endpoint.object("hints");
        if (hints(path + ".hints.forZones", hints, "forZones", NameValidation::labelValue, errors)) {
            hints(path + ".hints.forNodes", hints, "forNodes", NameValidation::dns1123Subdomain, errors);
        }
    }

    private static void addresses(String path, List<String> addresses, String addressType, FieldErrors errors) {
        if (addresses.isEmpty()) {
            errors.declared().required(path, "");
        } else if (addresses.size() > MAX_ADDRESSES) {
            errors.declared().tooMany(path, addresses.size(), MAX_ADDRESSES);
        }
        for (int i = 0; i < addresses.size(); i++) {
            String field = path + "[" + i + "]";
            String address = addresses.get(i);
            boolean isIp = switch (addressType) {
                case "IPv4" -> AddressRules.ip(field, address, List.of(), errors);
                case "IPv6" -> AddressRules.canonicalIp(field, address, errors);
                default -> false;
            };
            if (isIp) {
                if (IpAddress.isV6(address) != addressType.equals("IPv6")) {
                    errors.invalid(path, address, "must be an " + addressType + " address");
                }
                AddressRules.reachable(field, address, errors);
            } else if (addressType.equals("FQDN")) {
                domain(field, address, errors);
            }
        }
    }

    /** Validates a domain name of at least two labels; it may end with a dot. */
    private static void domain(String field, String name, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(field, "");
            return;
        }
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        List<String> problems = NameValidation.dns1123Subdomain(bare);
        if (!problems.isEmpty()) {
            errors.invalid(field, bare, String.join(",", problems));
        } else if (bare.indexOf('.') < 0) {
            errors.invalid(field, bare, "should be a domain with at least two segments separated by dots");
        } else {
            for (String label : bare.split("\\.", -1)) {
                List<String> wrong = NameValidation.dns1123Label(label);
                if (!wrong.isEmpty()) {
                    errors.invalid(field, label, String.join(",", wrong));
                    return;
                }
            }
        }
    }

    /** Validates hints; returns false, which ends the validation, if there are too many. */
    private static boolean hints(
            String path, JsonObject hints, String list, Function<String, List<String>> rule, FieldErrors errors) {
        List<JsonObject> hinted = hints.array(list).objects().toList();
        if (hinted.size() > MAX_HINTS) {
            errors.tooMany(path, hinted.size(), MAX_HINTS);
            return false;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < hinted.size(); i++) {
            String field = path + "[" + i + "].name";
            String name = hinted.get(i).string("name");
            if (!names.add(name)) {
                errors.duplicate(field, new JsonString(name));
            }
            errors.invalid(field, name, rule.apply(name));
        }
        return true;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of the cluster IPs and IP families of a service, and of their changes. */
final class ClusterIpRules {

    private static final String ADDRESSES = "spec.clusterIPs";
    private static final String FAMILIES = "spec.ipFamilies";
    private static final String ONCE = "may not change once set";
    private static final List<String> KNOWN_FAMILIES = List.of(ServiceFamilies.V4, ServiceFamilies.V6);
    private static final List<String> POLICIES =
            List.of(ServiceFamilies.PREFER_DUAL, ServiceFamilies.REQUIRE_DUAL, ServiceFamilies.SINGLE);

    private ClusterIpRules() {}

    /** Checks each field of a spec, and the fields against each other. */
    static void check(JsonObject spec, @Nullable JsonObject old, FieldErrors errors) {
        if (!ServiceSpecs.hasAddress(spec)) {
            return;
        }
        pair(spec, errors);
        families(ServiceSpecs.families(spec), errors);
        if (spec.has("ipFamilyPolicy")) {
            errors.oneOf("spec.ipFamilyPolicy", spec.string("ipFamilyPolicy"), POLICIES);
        }
        List<String> kept = old == null ? List.of() : ServiceSpecs.addresses(old);
        if (addresses(spec, kept, errors)) {
            stacks(spec, errors);
        }
    }

    private static void pair(JsonObject spec, FieldErrors errors) {
        String address = spec.string("clusterIP");
        JsonArray shown = spec.array("clusterIPs");
        List<String> addresses = ServiceSpecs.addresses(spec);
        if (address.isEmpty()) {
            if (!addresses.isEmpty()) {
                errors.invalid(ADDRESSES, shown, "must be empty when `clusterIP` is not specified");
            }
        } else if (addresses.isEmpty()) {
            errors.required(ADDRESSES, "");
        } else if (!addresses.get(0).equals(address)) {
            errors.invalid(ADDRESSES, shown, "first value must match `clusterIP`");
        }
    }

    private static void families(List<String> families, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < families.size(); i++) {
            String field = FAMILIES + "[" + i + "]";
            errors.oneOf(field, families.get(i), KNOWN_FAMILIES);
            if (!seen.add(families.get(i))) {
                errors.duplicate(field, new JsonString(families.get(i)));
            }
        }
    }

    /** Returns whether each of them is a valid address, so they can be compared. */
    private static boolean addresses(JsonObject spec, List<String> kept, FieldErrors errors) {
        List<String> addresses = ServiceSpecs.addresses(spec);
        boolean valid = true;
        for (int i = 0; i < addresses.size(); i++) {
            String address = addresses.get(i);
            if (i > 0 || !address.equals(ServiceSpecs.NONE)) {
                valid &= AddressRules.ip(ADDRESSES + "[" + i + "]", address, kept, errors);
            } else if (addresses.size() > 1) {
                errors.invalid(ADDRESSES, spec.array("clusterIPs"), "'None' must be the first and only value");
                valid = false;
            }
        }
        if (addresses.size() > 2) {
            errors.invalid(ADDRESSES, spec.array("clusterIPs"), "may only hold up to 2 values");
        }
        return valid;
    }

    private static void stacks(JsonObject spec, FieldErrors errors) {
        List<String> addresses = ServiceSpecs.addresses(spec);
        long v6 = addresses.stream().filter(IpAddress::isV6).count();
        if (addresses.size() > 1 && (v6 == 0 || v6 == addresses.size())) {
            errors.invalid(ADDRESSES, spec.array("clusterIPs"), "may specify no more than one IP for each IP family");
        }
        List<String> families = ServiceSpecs.families(spec);
        for (int i = 0; !ServiceSpecs.isHeadless(spec) && i < Math.min(addresses.size(), families.size()); i++) {
            String family = families.get(i);
            String other = IpAddress.isV6(addresses.get(i)) ? ServiceFamilies.V4 : ServiceFamilies.V6;
            if (family.equals(other)) {
                errors.invalid(
                        ADDRESSES + "[" + i + "]",
                        addresses.get(i),
                        "expected an " + family + " value as indicated by `ipFamilies[" + i + "]`");
            }
        }
    }

    /**
     * Checks a change: the first address and family must stay, and the second may be removed only with the policy
     * {@code SingleStack}.
     */
    static void checkUpdate(JsonObject spec, JsonObject old, FieldErrors errors) {
        if (!ServiceSpecs.hasAddress(spec) || !ServiceSpecs.hasAddress(old)) {
            return;
        }
        boolean headless = ServiceSpecs.isHeadless(spec);
        boolean wasHeadless = ServiceSpecs.isHeadless(old);
        if (!headless || !wasHeadless) {
            kept("clusterIPs", spec, old, errors);
        }
        if (!headless && !wasHeadless) {
            kept("ipFamilies", spec, old, errors);
        }
    }

    private static void kept(String field, JsonObject spec, JsonObject old, FieldErrors errors) {
        JsonArray values = spec.array(field);
        List<String> now = values.strings().toList();
        List<String> before = old.array(field).strings().toList();
        boolean sameSize = now.size() == before.size();
        int compared = sameSize ? now.size() : Math.min(1, before.size());
        for (int i = 0; i < compared; i++) {
            if (now.isEmpty() || !now.get(i).equals(before.get(i))) {
                // As upstream: an error about the second family names the first, and an error about an added family
                // shows the addresses.
                int reportedIndex = field.equals("ipFamilies") ? 0 : i;
                errors.invalid(
                        "spec." + field + "[" + reportedIndex + "]",
                        sameSize ? values : spec.array("clusterIPs"),
                        ONCE);
            }
        }
        if (now.size() == 1
                && before.size() > 1
                && !spec.string("ipFamilyPolicy").equals(ServiceFamilies.SINGLE)) {
            errors.invalid(
                    "spec.ipFamilyPolicy",
                    spec.string("ipFamilyPolicy"),
                    "must be set to 'SingleStack' when releasing the secondary "
                            + (field.equals("clusterIPs") ? "clusterIP" : "ipFamily"));
        }
    }
}

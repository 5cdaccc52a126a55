/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.network;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import java.util.List;

/**
 * Validation of the addresses of services: IPAddress and ServiceCIDR (upstream: {@code
 * pkg/apis/networking/validation}).
 */
public final class AddressSpaceRules {

    private static final String IMMUTABLE = "field is immutable";

    private AddressSpaceRules() {}

    /** Validates an IPAddress. */
    public static void address(FieldCursor address) {
        FieldCursor parent = address.at("spec", "parentRef");
        if (!parent.isSet()) {
            parent.declared().required("");
            return;
        }
        parent.at("group").followsIfSet(NameValidation::dns1123Subdomain);
        for (String part : List.of("resource", "name")) {
            if (parent.at(part).declared().require()) {
                parent.at(part).follows(NameValidation::pathSegment);
            }
        }
        parent.at("namespace").followsIfSet(NameValidation::pathSegment);
    }

    /** Validates a change of an IPAddress. */
    public static void addressUpdate(FieldCursor address, FieldCursor old) {
        address.at("spec", "parentRef").declared().unchanged(old.at("spec", "parentRef"));
    }

    /** Validates a new ServiceCIDR. */
    public static void ranges(FieldCursor object) {
        FieldCursor ranges = object.at("spec", "cidrs");
        int count = ranges.array().size();
        if (count == 0) {
            ranges.required("at least one CIDR required");
            return;
        }
        if (count > 2) {
            FieldCursor spec = InternalForm.shown("networking.v1.ServiceCIDRSpec", object.at("spec"));
            ranges.holding(spec.value()).invalid("may only hold up to 2 values");
            return;
        }
        ranges.each(AddressRules::canonicalCidr);
        List<Boolean> families = ranges.items().stream()
                .map(range -> AddressRules.isV6Range(range.text()))
                .toList();
        if (count == 2 && families.get(0) != null && families.get(0).equals(families.get(1))) {
            ranges.invalid("may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        }
    }

    /** Validates a change of a ServiceCIDR: a second range may be added. */
    public static void rangesUpdate(FieldCursor object, FieldCursor old) {
        List<FieldCursor> after = object.at("spec", "cidrs").items();
        List<FieldCursor> before = old.at("spec", "cidrs").items();
        boolean isExtended = before.size() == 1 && after.size() == 2;
        if (before.size() != after.size() && !isExtended) {
            object.at("spec", "cidrs").invalid(IMMUTABLE);
            return;
        }
        for (int i = 0; i < before.size(); i++) {
            after.get(i).immutable(before.get(i));
        }
        if (isExtended) {
            ranges(object);
        }
    }
}

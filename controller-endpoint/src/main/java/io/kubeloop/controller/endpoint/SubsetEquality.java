package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.controller.services.SubsetNormalizer;
import io.kubeloop.controller.services.SubsetOrder;
import io.kubeloop.controller.services.SubsetPacker;
import java.util.List;

/**
 * Compares the stored subsets with the desired ones. Immutable.
 *
 * <p>Fields that this controller does not set are ignored, because a server that adds a field would otherwise receive
 * endless writes. With {@code frugal} rules the order is ignored too. With {@code anyPacking} rules, so is the
 * distribution of addresses and ports over subsets.
 */
final class SubsetEquality {

    private final boolean comparesOrder;
    private final boolean anyPacking;
    private final SubsetNormalizer all;
    private final SubsetNormalizer lasting;

    SubsetEquality(EndpointRules rules) {
        comparesOrder = !rules.frugal();
        anyPacking = rules.anyPacking();
        all = new SubsetNormalizer(rules.podVersions());
        lasting = new SubsetNormalizer(rules.podVersions() && !rules.frugal());
    }

    /**
     * Returns whether the subsets are equal.
     *
     * @param actual the stored subsets
     * @param desired the desired subsets, in the order in which they would be written
     * @param versionsCount whether a pod's new version alone is a difference, even if the rules omit such updates
     */
    boolean areEqual(List<EndpointSubset> actual, List<EndpointSubset> desired, boolean versionsCount) {
        SubsetNormalizer known = versionsCount ? all : lasting;
        List<EndpointSubset> said = known(actual, known);
        List<EndpointSubset> wanted = known(desired, known);
        return (comparesOrder ? said : SubsetOrder.sort(said)).equals(wanted)
                || (anyPacking && packed(said).equals(wanted));
    }

    private static List<EndpointSubset> packed(List<EndpointSubset> subsets) {
        SubsetPacker packer = new SubsetPacker();
        subsets.forEach(packer::add);
        return packer.pack();
    }

    private static List<EndpointSubset> known(List<EndpointSubset> subsets, SubsetNormalizer known) {
        return subsets.stream().map(known::of).toList();
    }
}

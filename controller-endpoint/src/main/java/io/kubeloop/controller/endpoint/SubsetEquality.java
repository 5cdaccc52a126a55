package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.EndpointSubset;
import java.util.List;

/**
 * Whether a server's subsets say what they should.
 *
 * <p>Fields that this controller does not set do not count: a server that adds a field of its own must not be written to for
 * ever. Nor does their order, if requests are left out that change nothing that matters; nor, in current releases, how addresses
 * and ports are spread over subsets.
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
     * Returns whether the two are the same.
     *
     * @param actual as the server has them
     * @param desired in the order in which they would be written
     * @param versionsCount whether a pod's new version alone is a difference, even if such updates are left out otherwise
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

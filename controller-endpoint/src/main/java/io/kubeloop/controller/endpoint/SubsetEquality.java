/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.controller.services.SubsetNormalizer;
import io.kubeloop.controller.services.SubsetOrder;
import io.kubeloop.controller.services.SubsetPacker;
import java.util.List;

/**
 * Compares the stored subsets with the desired ones. Stateless.
 *
 * <p>Fields that this controller does not set are ignored, because a server that adds a field would otherwise receive
 * endless writes. So are the order, the distribution of addresses and ports over subsets, and the resource versions of
 * pods, which old releases wrote.
 */
final class SubsetEquality {

    private static final SubsetNormalizer KNOWN = new SubsetNormalizer(false);

    private SubsetEquality() {}

    /**
     * Returns whether the subsets have equal content.
     *
     * @param actual the stored subsets
     * @param desired the desired subsets, as {@link DesiredSubsets} makes them
     */
    static boolean areEqual(List<EndpointSubset> actual, List<EndpointSubset> desired) {
        List<EndpointSubset> stored = actual.stream().map(KNOWN::of).toList();
        return SubsetOrder.sort(stored).equals(desired) || packed(stored).equals(desired);
    }

    private static List<EndpointSubset> packed(List<EndpointSubset> subsets) {
        SubsetPacker packer = new SubsetPacker();
        subsets.forEach(packer::add);
        return packer.pack();
    }
}

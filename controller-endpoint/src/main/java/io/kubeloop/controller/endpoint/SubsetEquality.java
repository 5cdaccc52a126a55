package io.kubeloop.controller.endpoint;

import io.kubeloop.api.EndpointSubset;
import java.util.List;

/**
 * Whether a server's subsets say what they should.
 *
 * <p>Fields that this controller does not set do not count: a server that adds a field of its own must not be written to for
 * ever. Nor does their order, if requests are left out that change nothing that matters.
 */
final class SubsetEquality {

    private final boolean comparesOrder;
    private final KnownFields known;

    SubsetEquality(EndpointRules rules) {
        comparesOrder = !rules.frugal();
        known = new KnownFields(rules.podVersions() && !rules.frugal());
    }

    /**
     * Returns whether the two are the same.
     *
     * @param actual as the server has them
     * @param desired in the order in which they would be written
     */
    boolean areEqual(List<EndpointSubset> actual, List<EndpointSubset> desired) {
        List<EndpointSubset> said = known(actual);
        return (comparesOrder ? said : SubsetOrder.sort(said)).equals(known(desired));
    }

    private List<EndpointSubset> known(List<EndpointSubset> subsets) {
        return subsets.stream().map(known::of).toList();
    }
}

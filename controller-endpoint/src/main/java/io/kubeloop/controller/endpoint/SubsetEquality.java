package io.kubeloop.controller.endpoint;

import io.kubeloop.api.EndpointSubset;
import java.util.List;

/**
 * Whether a server's subsets say what they should.
 *
 * <p>Their order does not count, nor do fields that this controller does not set: a server that adds a field of its own must
 * not be written to for ever.
 */
final class SubsetEquality {

    private final KnownFields known;

    SubsetEquality(EndpointRules rules) {
        known = new KnownFields(rules.podVersions() && !rules.frugal());
    }

    /**
     * Returns whether the two are the same.
     *
     * @param actual as the server has them
     * @param desired in canonical order
     */
    boolean areEqual(List<EndpointSubset> actual, List<EndpointSubset> desired) {
        return SubsetOrder.sort(known(actual)).equals(known(desired));
    }

    private List<EndpointSubset> known(List<EndpointSubset> subsets) {
        return subsets.stream().map(known::of).toList();
    }
}

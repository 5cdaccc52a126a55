/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Truncates the addresses of an object to a limit; every change of an object with many thousand addresses would be
 * sent to every node. Addresses that are not ready are removed first; the rest is distributed over the subsets
 * in proportion. Stateless.
 *
 * <p>Shares are computed in doubles and rounded up, as upstream does. A subset with 14 of 50 addresses, of which 25
 * may stay, keeps 8, although the exact share is 7. With other arithmetic, this controller and upstream's would
 * revert each other's writes.
 */
final class OverCapacity {

    /** The annotation of a truncated object. */
    static final String ANNOTATION = "endpoints.kubernetes.io/over-capacity";

    /** The annotation's value. */
    static final String TRUNCATED = "truncated";

    /** The number of addresses that an object may hold. */
    static final int LIMIT = 1000;

    private OverCapacity() {}

    /** Returns whether the number of addresses exceeds the limit. */
    static boolean exceeds(List<EndpointSubset> subsets, int limit) {
        return count(subsets, EndpointSubset::addresses) + count(subsets, EndpointSubset::notReadyAddresses) > limit;
    }

    /**
     * Returns whether the annotation matches {@code truncated}. Earlier releases wrote other values, which do not
     * match.
     */
    static boolean isAnnotated(Map<String, String> annotations, boolean truncated) {
        String value = annotations.get(ANNOTATION);
        return truncated ? TRUNCATED.equals(value) : value == null;
    }

    /**
     * Returns the subsets with exactly {@code limit} addresses in total; they must exceed the limit. A subset without
     * addresses is omitted.
     */
    static List<EndpointSubset> truncate(List<EndpointSubset> subsets, int limit) {
        int ready = count(subsets, EndpointSubset::addresses);
        boolean onlyReady = ready >= limit;
        int total = onlyReady ? ready : count(subsets, EndpointSubset::notReadyAddresses);
        int allowed = onlyReady ? limit : limit - ready;
        int left = allowed;
        List<EndpointSubset> truncated = new ArrayList<>();
        for (EndpointSubset subset : subsets) {
            List<EndpointAddress> candidates = onlyReady ? subset.addresses() : subset.notReadyAddresses();
            int share = (int) Math.min(left, Math.ceil((double) candidates.size() / total * allowed));
            List<EndpointAddress> kept = candidates.subList(0, share);
            left -= share;
            List<EndpointAddress> keptReady = onlyReady ? kept : subset.addresses();
            List<EndpointAddress> keptOthers = onlyReady ? List.of() : kept;
            // The server rejects an object that has a subset without addresses.
            if (!keptReady.isEmpty() || !keptOthers.isEmpty()) {
                truncated.add(new EndpointSubset(keptReady, keptOthers, subset.ports(), subset.unknownFields()));
            }
        }
        return truncated;
    }

    private static int count(List<EndpointSubset> subsets, Function<EndpointSubset, List<EndpointAddress>> part) {
        return subsets.stream().mapToInt(subset -> part.apply(subset).size()).sum();
    }
}

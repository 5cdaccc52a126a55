package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The limit on the addresses of one object (since v1.22; before, objects of many thousand addresses went to every node on
 * every change). Addresses that are not ready go first; what remains is spread over the subsets in proportion.
 *
 * <p>Shares are worked out in doubles and rounded up, as upstream does: 14 of 50 addresses, 25 of which may stay, are 8, though 7 is
 * the exact share. With other arithmetic two controllers, the one before an update and the one after it, would each undo what the
 * other wrote.
 */
final class OverCapacity {

    /** Marks an object that lacks addresses. */
    static final String ANNOTATION = "endpoints.kubernetes.io/over-capacity";

    /** The annotation's value. */
    static final String TRUNCATED = "truncated";

    private OverCapacity() {}

    /** Returns whether there are more addresses than the limit, if there is one. */
    static boolean exceeds(List<EndpointSubset> subsets, int limit) {
        return limit > 0
                && count(subsets, EndpointSubset::addresses) + count(subsets, EndpointSubset::notReadyAddresses)
                        > limit;
    }

    /** Returns whether the annotation says so; releases have given it other values too, and none means that nothing was cut. */
    static boolean isAnnotated(Map<String, String> annotations, boolean truncated) {
        String value = annotations.get(ANNOTATION);
        return truncated ? TRUNCATED.equals(value) : value == null;
    }

    /** Returns the subsets with exactly as many addresses as the limit allows; they must exceed it. One that keeps none is left out. */
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
            // The server refuses the whole object for the sake of a subset without addresses.
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

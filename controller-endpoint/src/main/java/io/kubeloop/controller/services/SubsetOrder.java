/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * Sorts subsets, and addresses and ports within them (upstream: {@code endpoints.SortSubsets}). Stateless.
 *
 * <p>Addresses are sorted by the text of their IP, then by their target's UID. Ports and subsets are sorted by their
 * content. Upstream sorts those two by a digest of their memory representation, which no client can rely on.
 */
public final class SubsetOrder {

    private static final Comparator<EndpointAddress> ADDRESSES = Comparator.comparing(EndpointAddress::ip)
            .thenComparing(address -> address.targetRef() != null)
            .thenComparing(SubsetOrder::uid);

    private static final Comparator<EndpointPort> PORTS = Comparator.comparing(EndpointPort::name)
            .thenComparingInt(EndpointPort::port)
            .thenComparing(EndpointPort::protocol)
            .thenComparing(EndpointPort::appProtocol, Comparator.nullsFirst(Comparator.naturalOrder()));

    private static final Comparator<EndpointSubset> SUBSETS = Comparator.comparing(
                    EndpointSubset::ports, lexicographic(PORTS))
            .thenComparing(EndpointSubset::addresses, lexicographic(ADDRESSES))
            .thenComparing(EndpointSubset::notReadyAddresses, lexicographic(ADDRESSES));

    private SubsetOrder() {}

    /** Returns the subsets in order, with sorted addresses and ports. O(n log n). */
    public static List<EndpointSubset> sort(List<EndpointSubset> subsets) {
        return subsets.stream()
                .map(subset -> new EndpointSubset(
                        sorted(subset.addresses(), ADDRESSES),
                        sorted(subset.notReadyAddresses(), ADDRESSES),
                        sorted(subset.ports(), PORTS),
                        subset.unknownFields()))
                .sorted(SUBSETS)
                .toList();
    }

    private static <T> List<T> sorted(List<T> elements, Comparator<T> order) {
        List<T> sorted = new ArrayList<>(elements);
        sorted.sort(order);
        return sorted;
    }

    private static String uid(EndpointAddress address) {
        return address.targetRef() == null ? "" : address.targetRef().uid();
    }

    private static <T> Comparator<List<T>> lexicographic(Comparator<T> order) {
        return (left, right) -> {
            Iterator<T> others = right.iterator();
            for (T element : left) {
                if (!others.hasNext()) {
                    return 1;
                }
                int difference = order.compare(element, others.next());
                if (difference != 0) {
                    return difference;
                }
            }
            return others.hasNext() ? -1 : 0;
        };
    }
}

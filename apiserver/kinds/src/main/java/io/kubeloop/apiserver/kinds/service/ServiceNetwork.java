/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import java.math.BigInteger;
import java.util.List;

/** The ranges of the cluster IPs: one range, or two ranges of different IP families. Immutable. */
public final class ServiceNetwork {

    /** The range of a server without configuration. */
    public static final ServiceNetwork DEFAULT = of(List.of("10.96.0.0/16"));

    private final List<ServiceRange> ranges;

    private ServiceNetwork(List<ServiceRange> ranges) {
        this.ranges = ranges;
    }

    /**
     * Parses ranges. Services use the family of the first range unless they request the other.
     *
     * @throws IllegalArgumentException if a range is invalid or the combination is not allowed; the message names
     *     the problem
     */
    public static ServiceNetwork of(List<String> texts) {
        if (texts.isEmpty() || texts.size() > 2) {
            throw new IllegalArgumentException(
                    "one range or two ranges of different families are required, got " + texts.size());
        }
        List<ServiceRange> ranges = texts.stream().map(ServiceRange::parse).toList();
        if (ranges.stream().map(ServiceRange::family).distinct().count() < ranges.size()) {
            throw new IllegalArgumentException(
                    String.join(" and ", texts) + " must be of different families, but are both "
                            + ranges.get(0).family());
        }
        return new ServiceNetwork(ranges);
    }

    /** Returns the ranges as text, such as {@code 10.96.0.0/16}. */
    public List<String> cidrs() {
        return ranges.stream().map(ServiceRange::toString).toList();
    }

    /** Returns the first address for services, which is that of the service {@code kubernetes}. */
    public String first() {
        return ranges.get(0).address(BigInteger.ONE);
    }

    /** Returns the family of the first range: {@code IPv4} or {@code IPv6}. */
    public String firstFamily() {
        return ranges.get(0).family();
    }

    List<ServiceRange> ranges() {
        return ranges;
    }
}

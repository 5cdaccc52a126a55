/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodeipam;

import io.kubeloop.api.value.CidrRange;
import java.util.List;

/**
 * The settings of the controller of nodes' address ranges. Immutable.
 *
 * @param clusterRanges the addresses of all pods, at most one range of each family; {@code --cluster-cidr}. None: the
 *     controller does nothing
 * @param serviceRanges ranges that no node gets; {@code --service-cluster-ip-range}
 * @param prefixV4 the length of the prefix of a node's IPv4 range; {@code --node-cidr-mask-size-ipv4}, default 24
 * @param prefixV6 the same for IPv6; {@code --node-cidr-mask-size-ipv6}, default 64
 */
public record NodeIpamConfig(List<CidrRange> clusterRanges, List<CidrRange> serviceRanges, int prefixV4, int prefixV6) {

    /** No ranges: {@code --allocate-node-cidrs=false}. */
    public static final NodeIpamConfig NONE = new NodeIpamConfig(List.of(), List.of(), 24, 64);

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if two cluster ranges are of one family
     */
    public NodeIpamConfig {
        clusterRanges = List.copyOf(clusterRanges);
        serviceRanges = List.copyOf(serviceRanges);
        if (clusterRanges.stream().map(CidrRange::bits).distinct().count() < clusterRanges.size()) {
            throw new IllegalArgumentException(
                    "cluster CIDRs must be at most one of each family, got " + clusterRanges);
        }
    }

    int prefixOf(CidrRange range) {
        return range.isV6() ? prefixV6 : prefixV4;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.kubeloop.apiserver.cel.FunctionRow.Body;
import io.kubeloop.apiserver.cel.value.NetworkAddress;
import io.kubeloop.apiserver.cel.value.NetworkPrefix;
import java.util.List;
import java.util.function.Predicate;

/**
 * The functions of addresses and prefixes (upstream: {@code library/ip.go}, {@code cidr.go}). Static functions only.
 */
final class NetworkFunctions {

    static final CelType IP = OpaqueType.create("net.IP");
    static final CelType CIDR = OpaqueType.create("net.CIDR");
    private static final CelType STRING = SimpleType.STRING;
    private static final CelType BOOL = SimpleType.BOOL;

    static final List<FunctionRow> ROWS = List.of(
            FunctionRow.global("ip", "string_to_ip", IP, a -> address(a[0]), STRING),
            FunctionRow.global("isIP", "is_ip", BOOL, a -> succeeds(() -> address(a[0])), STRING),
            FunctionRow.global(
                    "ip.isCanonical",
                    "ip_is_canonical",
                    BOOL,
                    a -> address(a[0]).text().equals(a[0]),
                    STRING),
            FunctionRow.global("string", "ip_to_string", STRING, a -> ((NetworkAddress) a[0]).text(), IP),
            FunctionRow.member("family", "ip_family", SimpleType.INT, a -> ((NetworkAddress) a[0]).family(), IP),
            property("isUnspecified", "ip_is_unspecified", a -> a.address().isAnyLocalAddress()),
            property("isLoopback", "ip_is_loopback", a -> a.address().isLoopbackAddress()),
            property(
                    "isLinkLocalMulticast",
                    "ip_is_link_local_multicast",
                    a -> a.address().isMCLinkLocal()),
            property(
                    "isLinkLocalUnicast",
                    "ip_is_link_local_unicast",
                    a -> a.address().isLinkLocalAddress()),
            property("isGlobalUnicast", "ip_is_global_unicast", NetworkAddress::isGlobalUnicast),
            FunctionRow.global("cidr", "string_to_cidr", CIDR, a -> prefix(a[0]), STRING),
            FunctionRow.global("isCIDR", "is_cidr", BOOL, a -> succeeds(() -> prefix(a[0])), STRING),
            FunctionRow.global("string", "cidr_to_string", STRING, a -> ((NetworkPrefix) a[0]).text(), CIDR),
            contains("containsIP", "cidr_contains_ip_string", a -> inside(a[0]).contains(address(a[1])), STRING),
            contains("containsIP", "cidr_contains_ip_ip", a -> inside(a[0]).contains((NetworkAddress) a[1]), IP),
            contains(
                    "containsCIDR",
                    "cidr_contains_cidr_string",
                    a -> inside(a[0]).contains(prefix(a[1])),
                    STRING),
            contains("containsCIDR", "cidr_contains_cidr", a -> inside(a[0]).contains((NetworkPrefix) a[1]), CIDR),
            FunctionRow.member("ip", "cidr_ip", IP, a -> inside(a[0]).address(), CIDR),
            FunctionRow.member(
                    "prefixLength",
                    "cidr_prefix_length",
                    SimpleType.INT,
                    a -> (long) inside(a[0]).bits(),
                    CIDR),
            FunctionRow.member("masked", "cidr_masked", CIDR, a -> inside(a[0]).masked(), CIDR));

    private NetworkFunctions() {}

    private static NetworkAddress address(Object text) {
        return NetworkAddress.parse((String) text);
    }

    private static NetworkPrefix prefix(Object text) {
        return NetworkPrefix.parse((String) text);
    }

    private static NetworkPrefix inside(Object prefix) {
        return (NetworkPrefix) prefix;
    }

    private static boolean succeeds(Runnable conversion) {
        try {
            conversion.run();
            return true;
        } catch (CelInvalidArgumentException e) {
            return false;
        }
    }

    private static FunctionRow property(String name, String overload, Predicate<NetworkAddress> property) {
        return FunctionRow.member(name, overload, BOOL, a -> property.test((NetworkAddress) a[0]), IP);
    }

    private static FunctionRow contains(String name, String overload, Body body, CelType parameter) {
        return FunctionRow.member(name, overload, BOOL, body, CIDR, parameter);
    }
}

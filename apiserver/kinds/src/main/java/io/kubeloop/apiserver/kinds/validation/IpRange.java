/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.Digits;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses in CIDR form, such as {@code 10.0.0.0/8}. The text may have leading zeros and bits beyond the
 * prefix, which older fields accept. Immutable.
 *
 * @param address the address before the slash, as it is written
 * @param prefix the number of fixed bits
 */
public record IpRange(IpAddress address, int prefix) {

    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;

    /** Returns the range; null if the text is not one. */
    public static @Nullable IpRange parse(String text) {
        int slash = text.indexOf('/');
        String ip = slash < 0 ? "" : text.substring(0, slash);
        String length = text.substring(slash + 1);
        IpAddress address = IpAddress.parseSloppy(ip);
        if (address == null || !Digits.are(length, 1, 9)) {
            return null;
        }
        int prefix = Integer.parseInt(length);
        if (prefix > (ip.indexOf(':') >= 0 ? V6_BITS : V4_BITS)) {
            return null;
        }
        // An IPv4 address in the form of IPv6 has a prefix of the longer form.
        int mapped = ip.indexOf(':') >= 0 && !address.isV6() ? V6_BITS - V4_BITS : 0;
        return new IpRange(address, Math.max(prefix - mapped, 0));
    }

    /** Returns the number of bits of the addresses. */
    int bits() {
        return address.isV6() ? V6_BITS : V4_BITS;
    }

    private static BigInteger number(IpAddress address) {
        return new BigInteger(1, resolved(address).getAddress());
    }

    private BigInteger network() {
        int free = bits() - prefix;
        return number(address).shiftRight(free).shiftLeft(free);
    }

    /** Returns whether the address has bits beyond the prefix. */
    public boolean hasHostBits() {
        return !network().equals(number(address));
    }

    /** Returns whether a range is smaller than this one and lies within it. */
    public boolean strictlyContains(IpRange other) {
        return address.isV6() == other.address.isV6()
                && other.prefix > prefix
                && other.network().shiftRight(bits() - prefix).equals(network().shiftRight(bits() - prefix));
    }

    /** Returns the canonical form, without bits beyond the prefix. */
    public String canonical() {
        byte[] bytes = new byte[bits() / Byte.SIZE];
        byte[] network = network().toByteArray();
        for (int i = 0; i < Math.min(network.length, bytes.length); i++) {
            bytes[bytes.length - 1 - i] = network[network.length - 1 - i];
        }
        try {
            IpAddress first = IpAddress.parse(InetAddress.getByAddress(bytes).getHostAddress());
            return (first == null ? address : first).canonical() + "/" + prefix;
        } catch (UnknownHostException e) {
            throw new IllegalStateException(bytes.length + " bytes are not an address", e);
        }
    }

    /** Makes no name lookup, because the address is numeric. */
    static InetAddress resolved(IpAddress address) {
        try {
            return InetAddress.getByName(address.canonical());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address + " is not an address", e);
        }
    }
}

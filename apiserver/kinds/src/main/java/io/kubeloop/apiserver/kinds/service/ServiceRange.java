/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.Digits;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/**
 * A range of addresses of one family, such as {@code 10.96.0.0/16}.
 *
 * @param family {@code IPv4} or {@code IPv6}
 * @param network the first address, as a number
 * @param prefix the length of the common prefix, in bits
 */
record ServiceRange(String family, BigInteger network, int prefix) {

    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;

    /** Upstream rejects ranges with fewer addresses, and limits the size of IPv6 ranges. */
    private static final int MIN_FREE_BITS = 3;

    private static final int MAX_FREE_BITS = 64;

    /**
     * Parses a range; as upstream, bits beyond the prefix are cleared.
     *
     * @throws IllegalArgumentException if the text is not a range, or the range is too small or too large
     */
    static ServiceRange parse(String text) {
        int slash = text.indexOf('/');
        String length = text.substring(slash + 1);
        IpAddress address = slash < 0 ? null : IpAddress.parse(text.substring(0, slash));
        boolean notation = address != null && address.isV6() == text.indexOf(':') >= 0;
        int bits = address != null && address.isV6() ? V6_BITS : V4_BITS;
        int prefix = Digits.are(length, 1, 3) ? Integer.parseInt(length) : bits + 1;
        if (address == null || !notation || prefix > bits) {
            throw new IllegalArgumentException("\"" + text + "\" is not a range such as 10.96.0.0/16 or fd00::/112");
        }
        int free = bits - prefix;
        if (free < MIN_FREE_BITS) {
            throw new IllegalArgumentException(
                    text + " is too small: /" + (bits - MIN_FREE_BITS) + " is the smallest, with 8 addresses");
        }
        if (free > MAX_FREE_BITS) {
            throw new IllegalArgumentException(
                    text + " is too large: /" + (bits - MAX_FREE_BITS) + " is the largest of IPv6");
        }
        BigInteger network = number(address).shiftRight(free).shiftLeft(free);
        return new ServiceRange(family(address), network, prefix);
    }

    static String family(IpAddress address) {
        return address.isV6() ? ServiceFamilies.V6 : ServiceFamilies.V4;
    }

    /** Returns the family of a valid address. */
    static String family(String address) {
        return family(checked(address));
    }

    /** Returns the canonical form of a valid address. */
    static String canonical(String address) {
        return checked(address).canonical();
    }

    /** Returns the offset of a valid address in the range; below 0 or at least {@link #size} if it is outside. */
    BigInteger offset(String address) {
        IpAddress parsed = checked(address);
        return family(parsed).equals(family) ? number(parsed).subtract(network) : BigInteger.ONE.negate();
    }

    BigInteger size() {
        return BigInteger.ONE.shiftLeft(bits() - prefix);
    }

    /**
     * Returns the offset of the last address for services. The very last IPv4 address is excluded, because it is
     * the broadcast address.
     */
    BigInteger last() {
        return size().subtract(BigInteger.valueOf(family.equals(ServiceFamilies.V4) ? 2 : 1));
    }

    /** Returns the address at an offset of the range. */
    String address(BigInteger offset) {
        byte[] number = network.add(offset).toByteArray();
        byte[] bytes = new byte[bits() / 8];
        int length = Math.min(number.length, bytes.length);
        System.arraycopy(number, number.length - length, bytes, bytes.length - length, length);
        try {
            return checked(InetAddress.getByAddress(bytes).getHostAddress()).canonical();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private int bits() {
        return family.equals(ServiceFamilies.V4) ? V4_BITS : V6_BITS;
    }

    private static IpAddress checked(String address) {
        return Objects.requireNonNull(IpAddress.parseSloppy(address), address);
    }

    /** Makes no name lookup, because the address is numeric. */
    private static BigInteger number(IpAddress address) {
        try {
            return new BigInteger(1, InetAddress.getByName(address.canonical()).getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address + " is not an address", e);
        }
    }

    @Override
    public String toString() {
        return address(BigInteger.ZERO) + "/" + prefix;
    }
}

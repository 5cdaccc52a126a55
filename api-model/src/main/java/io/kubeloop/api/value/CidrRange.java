/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A range of addresses in CIDR notation, such as {@code 10.244.0.0/16}. Immutable.
 *
 * @param first the first address, as a number
 * @param prefix the length of the prefix in bits
 * @param bits the length of an address: 32 or 128
 */
public record CidrRange(BigInteger first, int prefix, int bits) {

    /** Clears the bits after the prefix. */
    public CidrRange {
        if (prefix < 0 || prefix > bits) {
            throw new IllegalArgumentException("prefix " + prefix + " of an address with " + bits + " bits");
        }
        first = first.shiftRight(bits - prefix).shiftLeft(bits - prefix);
    }

    /**
     * Parses a range.
     *
     * @throws IllegalArgumentException if the text is not an address, a slash and a length
     */
    public static CidrRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? "" : text.substring(0, slash);
        if (IpAddress.parse(address) == null) { // a name would be looked up
            throw new IllegalArgumentException("invalid CIDR address: " + text);
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return new CidrRange(
                    new BigInteger(1, bytes), Integer.parseInt(text.substring(slash + 1)), bytes.length * 8);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException("invalid CIDR address: " + text, e);
        }
    }

    /** Returns whether the addresses are of IPv6. */
    public boolean isV6() {
        return bits == 128;
    }

    /** Divides the range into parts with a prefix of this length, and returns the part with this number. */
    public CidrRange part(long index, int partPrefix) {
        return new CidrRange(first.add(BigInteger.valueOf(index).shiftLeft(bits - partPrefix)), partPrefix, bits);
    }

    /** Returns whether the two ranges share an address. */
    public boolean overlaps(CidrRange other) {
        int common = Math.min(prefix, other.prefix);
        return bits == other.bits && first.shiftRight(bits - common).equals(other.first.shiftRight(bits - common));
    }

    /**
     * Returns whether an address lies in this range.
     *
     * @param address an address in text form; one of another family lies outside
     * @throws IllegalArgumentException if the text is not an address
     */
    public boolean contains(String address) {
        return contains(parse(address + (address.contains(":") ? "/128" : "/32")));
    }

    /** Returns whether the other range lies in this one. */
    public boolean contains(CidrRange other) {
        return other.prefix >= prefix && overlaps(other);
    }

    @Override
    public String toString() {
        byte[] number = first.toByteArray();
        byte[] address = new byte[bits / 8];
        int length = Math.min(number.length, address.length);
        System.arraycopy(number, number.length - length, address, address.length - length, length);
        try {
            String text = InetAddress.getByAddress(address).getHostAddress();
            IpAddress canonical = IpAddress.parse(text);
            return (canonical == null ? text : canonical.canonical()) + "/" + prefix;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes, not " + address.length, e);
        }
    }
}

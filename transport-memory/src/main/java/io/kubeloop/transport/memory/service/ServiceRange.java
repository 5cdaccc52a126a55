package io.kubeloop.transport.memory.service;

import io.kubeloop.api.IpAddress;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/**
 * A range of addresses of one family, such as {@code 10.96.0.0/16}.
 *
 * @param family {@code IPv4} or {@code IPv6}
 * @param network its first address, as a number
 * @param prefix how many bits all addresses have in common
 */
record ServiceRange(String family, BigInteger network, int prefix) {

    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;

    /** Fewer are too few to serve from, and of IPv6 there can be too many to count, as upstream has it. */
    private static final int MIN_FREE_BITS = 3;

    private static final int MAX_FREE_BITS = 64;

    /**
     * Reads a range; bits beyond the prefix are dropped, as upstream.
     *
     * @throws IllegalArgumentException if it is none, or none that services can be served from
     */
    static ServiceRange parse(String text) {
        int slash = text.indexOf('/');
        String length = text.substring(slash + 1);
        IpAddress address = slash < 0 ? null : IpAddress.parse(text.substring(0, slash));
        boolean notation = address != null && address.isV6() == text.indexOf(':') >= 0;
        int bits = address != null && address.isV6() ? V6_BITS : V4_BITS;
        int prefix = length.matches("[0-9]{1,3}") ? Integer.parseInt(length) : bits + 1;
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

    /** Returns the family of an address that has been checked. */
    static String family(String address) {
        return family(checked(address));
    }

    /** Returns the usual spelling of an address that has been checked. */
    static String canonical(String address) {
        return checked(address).canonical();
    }

    /** Returns where in the range an address is, which has been checked; negative or {@link #size} and more if outside. */
    BigInteger offset(String address) {
        IpAddress parsed = checked(address);
        return family(parsed).equals(family) ? number(parsed).subtract(network) : BigInteger.ONE.negate();
    }

    BigInteger size() {
        return BigInteger.ONE.shiftLeft(bits() - prefix);
    }

    /** Returns the last address that a service can have: of IPv4 the very last one calls all machines. */
    BigInteger last() {
        return size().subtract(BigInteger.valueOf(family.equals(ServiceFamilies.V4) ? 2 : 1));
    }

    /** Returns the address at a place in the range. */
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

    /** Looks nothing up: it is an address in figures. */
    private static BigInteger number(IpAddress address) {
        try {
            return new BigInteger(1, InetAddress.getByName(address.canonical()).getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address + " is an address", e);
        }
    }

    @Override
    public String toString() {
        return address(BigInteger.ZERO) + "/" + prefix;
    }
}

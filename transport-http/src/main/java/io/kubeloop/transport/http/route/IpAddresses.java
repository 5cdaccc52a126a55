/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conversions of literal IP addresses, between text and four or sixteen bytes. Stateless; no method sends a DNS query.
 */
public final class IpAddresses {

    private static final String NUMBER = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern FOUR_NUMBERS = Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}");
    private static final Pattern WITH_COLONS = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private IpAddresses() {}

    /**
     * Returns the bytes of an address, or null if the text is not an address. An IPv4 address inside IPv6 becomes IPv4.
     */
    static byte @Nullable [] parse(String text) {
        if (!FOUR_NUMBERS.matcher(text).matches() && !WITH_COLONS.matcher(text).matches()) {
            return null;
        }
        try {
            // For such a text the JDK parses the address or fails; it never queries DNS.
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Returns the form of a host in a URL: an IPv6 address in brackets, everything else unchanged. */
    public static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    static boolean isLoopback(byte[] address) {
        try {
            return InetAddress.getByAddress(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, got " + address.length, e);
        }
    }

    /** Returns whether two addresses of the same family have the same first {@code bits} bits. */
    static boolean isWithin(byte[] address, byte[] network, int bits) {
        if (address.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if (((address[bit / 8] ^ network[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}

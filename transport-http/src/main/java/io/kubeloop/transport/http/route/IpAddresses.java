package io.kubeloop.transport.http.route;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Literal IP addresses as bytes, four or sixteen, and as text; never a look-up. */
public final class IpAddresses {

    private static final String NUMBER = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern FOUR_NUMBERS = Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}");
    private static final Pattern WITH_COLONS = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private IpAddresses() {}

    /** Returns the bytes of an address, or null if the text is none. An IPv4 address inside IPv6 is IPv4. */
    static byte @Nullable [] parse(String text) {
        if (!FOUR_NUMBERS.matcher(text).matches() && !WITH_COLONS.matcher(text).matches()) {
            return null;
        }
        try {
            // Of such a text the JDK makes an address or an error, and asks nobody.
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Returns a host as URLs have it: an IPv6 address in brackets, anything else as it is. */
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

    /** Returns whether the first bits of two addresses of one family are the same. */
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

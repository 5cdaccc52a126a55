/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import com.google.re2j.Pattern;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.kubeloop.json.gotext.GoText;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * An address with the length of its prefix (upstream: {@code net/netip.Prefix}). Immutable.
 *
 * @param address the address, which may have bits after the prefix
 * @param bits the length of the prefix
 */
public record NetworkPrefix(NetworkAddress address, int bits) {

    private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");

    public static NetworkPrefix parse(String text) {
        int slash = text.lastIndexOf('/');
        String error = "network address parse error during conversion from string: ";
        String parse = error + error + "netip.ParsePrefix(" + GoText.quoted(text) + "): ";
        if (slash < 0) {
            throw new CelInvalidArgumentException(parse + "no '/'");
        }
        String length = text.substring(slash + 1);
        if (!LENGTH.matcher(length).matches()) {
            throw new CelInvalidArgumentException(parse + "bad bits after slash: " + GoText.quoted(length));
        }
        NetworkAddress address;
        try {
            address = NetworkAddress.parse(text.substring(0, slash));
        } catch (CelInvalidArgumentException e) {
            boolean mapped = String.valueOf(e.getMessage()).startsWith("IPv4-mapped");
            throw new CelInvalidArgumentException(
                    mapped
                            ? error + "IPv4-mapped IPv6 address " + GoText.quoted(text) + " is not allowed"
                            : parse + "ParseAddr(" + GoText.quoted(text.substring(0, slash)) + "): unable to parse IP");
        }
        int bits = Integer.parseInt(length);
        if (bits > 8 * address.address().getAddress().length) {
            throw new CelInvalidArgumentException(parse + "prefix length out of range");
        }
        return new NetworkPrefix(address, bits);
    }

    public String text() {
        return address.text() + "/" + bits;
    }

    public boolean contains(NetworkAddress other) {
        byte[] mine = address.address().getAddress();
        byte[] theirs = other.address().getAddress();
        if (mine.length != theirs.length) {
            return false;
        }
        for (int i = 0; i < mine.length; i++) {
            int mask = mask(i);
            if ((mine[i] & mask) != (theirs[i] & mask)) {
                return false;
            }
        }
        return true;
    }

    public boolean contains(NetworkPrefix other) {
        return bits <= other.bits && contains(other.address);
    }

    private int mask(int index) {
        int inByte = Math.max(0, Math.min(8, bits - 8 * index));
        return 0xff & (0xff << (8 - inByte));
    }

    public NetworkPrefix masked() {
        byte[] bytes = address.address().getAddress();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (bytes[i] & mask(i));
        }
        try {
            return new NetworkPrefix(NetworkAddress.of(InetAddress.getByAddress(bytes)), bits);
        } catch (UnknownHostException e) {
            throw new CelInvalidArgumentException(e);
        }
    }
}

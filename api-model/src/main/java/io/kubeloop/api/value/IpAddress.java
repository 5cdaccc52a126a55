/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An IP address, parsed without a name service, like Go's {@code net.ParseIP}.
 *
 * <p>IPv4 addresses are stored in their IPv6 form ({@code ::ffff:a.b.c.d}), so both families have one order.
 * Immutable.
 */
public final class IpAddress implements Comparable<IpAddress> {

    private static final int BYTES = 16;
    private static final int V4_OFFSET = 12;
    private static final byte[] V4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    /** Matches the leading zeros of a number. */
    private static final Pattern LEADING_ZEROS = Pattern.compile("(?<![0-9a-fA-F])0+(?=[0-9a-fA-F])");

    private final byte[] bytes;
    private final boolean colons;

    private IpAddress(byte[] bytes, boolean colons) {
        this.bytes = bytes;
        this.colons = colons;
    }

    /**
     * Parses four decimal numbers without leading zeros, or an IPv6 address without zone in any notation. Returns
     * null for other texts.
     */
    public static @Nullable IpAddress parse(String text) {
        byte[] bytes = new byte[BYTES];
        if (text.indexOf(':') >= 0) {
            return parseV6(text, bytes) ? new IpAddress(bytes, true) : null;
        }
        System.arraycopy(V4_PREFIX, 0, bytes, 0, V4_OFFSET);
        return parseV4(text, bytes, V4_OFFSET) ? new IpAddress(bytes, false) : null;
    }

    /**
     * Parses an address as {@link #parse} does, but ignores leading zeros, also in IPv4. Kubernetes reads stored
     * addresses in this way (upstream: {@code netutils.ParseIPSloppy}).
     */
    public static @Nullable IpAddress parseSloppy(String text) {
        return parse(LEADING_ZEROS.matcher(text).replaceAll(""));
    }

    /** Returns whether the text is an IPv6 address. An IPv4 address in IPv6 notation is not. */
    public static boolean isV6(String text) {
        IpAddress address = parse(text);
        return address != null && address.isV6();
    }

    /** Returns whether this is not an IPv4 address in any notation, like Go's {@code To4}. */
    public boolean isV6() {
        return !Arrays.equals(bytes, 0, V4_OFFSET, V4_PREFIX, 0, V4_OFFSET);
    }

    private static boolean parseV4(String text, byte[] into, int offset) {
        int at = 0;
        for (int part = 0; part < 4; part++) {
            int end = part == 3 ? text.length() : text.indexOf('.', at);
            if (end <= at || end - at > 3 || (end - at > 1 && text.charAt(at) == '0')) {
                return false;
            }
            int value = number(text, at, end, 10);
            if (value < 0 || value > 255) {
                return false;
            }
            into[offset + part] = (byte) value;
            at = end + 1;
        }
        return true;
    }

    /** Reads the groups before {@code ::}, then those after it, and moves the latter to the end. */
    private static boolean parseV6(String text, byte[] into) {
        int written = 0;
        int gap = -1;
        int at = 0;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            if (written == BYTES) {
                return false;
            }
            int end = text.indexOf(':', at);
            String group = end < 0 ? text.substring(at) : text.substring(at, end);
            if (end < 0 && group.indexOf('.') >= 0) {
                if (written > V4_OFFSET || !parseV4(group, into, written)) {
                    return false;
                }
                written += 4;
                break;
            }
            int value = group.isEmpty() || group.length() > 4 ? -1 : number(group, 0, group.length(), 16);
            if (value < 0) {
                return false;
            }
            into[written++] = (byte) (value >> 8);
            into[written++] = (byte) value;
            if (end < 0) {
                break;
            }
            at = end + 1;
            if (at < text.length() && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return false;
                }
                gap = written;
                at++;
            } else if (at == text.length()) {
                return false;
            }
        }
        return gap < 0 ? written == BYTES : fillGap(into, written, gap);
    }

    private static boolean fillGap(byte[] bytes, int written, int gap) {
        if (written == BYTES) {
            return false;
        }
        int behind = written - gap;
        System.arraycopy(bytes, gap, bytes, BYTES - behind, behind);
        Arrays.fill(bytes, gap, BYTES - behind, (byte) 0);
        return true;
    }

    /** Returns the value of a text of ASCII digits; -1 for other text. */
    private static int number(String text, int from, int to, int radix) {
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    /** Orders by the 16 bytes, unsigned. */
    @Override
    public int compareTo(IpAddress other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    /** Two notations of the same address are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /**
     * Returns the canonical text. It has four decimal numbers for an IPv4 address in any notation. RFC 5952 defines the
     * text of IPv6: lower case, with the longest run of zeros left out.
     */
    public String canonical() {
        if (!isV6()) {
            return new IpAddress(bytes, false).toString();
        }
        String[] groups = toString().split(":");
        int gap = 0;
        int gapLength = 0;
        for (int from = 0, to; from < groups.length; from = to + 1) {
            to = from;
            while (to < groups.length && groups[to].equals("0")) {
                to++;
            }
            if (to - from > gapLength) {
                gap = from;
                gapLength = to - from;
            }
        }
        // RFC 5952 does not abbreviate a single zero group.
        return gapLength < 2
                ? toString()
                : joined(groups, 0, gap) + "::" + joined(groups, gap + gapLength, groups.length);
    }

    private static String joined(String[] groups, int from, int to) {
        return String.join(":", Arrays.copyOfRange(groups, from, to));
    }

    /** Returns the address without abbreviation: eight groups, or four numbers. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        if (!colons) {
            for (int i = V4_OFFSET; i < BYTES; i++) {
                out.append(i == V4_OFFSET ? "" : ".").append(bytes[i] & 0xff);
            }
            return out.toString();
        }
        for (int i = 0; i < BYTES; i += 2) {
            out.append(i == 0 ? "" : ":").append(Integer.toHexString((bytes[i] & 0xff) << 8 | (bytes[i + 1] & 0xff)));
        }
        return out.toString();
    }
}

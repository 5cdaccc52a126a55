/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.json.gotext.GoText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;

/**
 * An IP address (upstream: {@code net/netip.Addr}). Immutable.
 *
 * @param address the address
 * @param text its canonical text
 */
public record NetworkAddress(InetAddress address, String text) {

    public static NetworkAddress parse(String text) {
        if (text.indexOf('%') >= 0 && IpAddress.parse(text.substring(0, text.indexOf('%'))) != null) {
            throw new CelInvalidArgumentException(
                    "IP address " + GoText.quoted(text) + " with zone value is not allowed");
        }
        if (IpAddress.parse(text) == null) {
            throw new CelInvalidArgumentException("IP Address " + GoText.quoted(text)
                    + " parse error during conversion from string: ParseAddr(" + GoText.quoted(text)
                    + "): unable to parse IP");
        }
        if (text.indexOf(':') >= 0 && !IpAddress.isV6(text)) {
            throw new CelInvalidArgumentException(
                    "IPv4-mapped IPv6 address " + GoText.quoted(text) + " is not allowed");
        }
        try {
            return of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            throw new CelInvalidArgumentException(e);
        }
    }

    /** Returns an address with its canonical text. */
    public static NetworkAddress of(InetAddress address) {
        IpAddress canonical = Objects.requireNonNull(IpAddress.parse(address.getHostAddress()));
        return new NetworkAddress(address, canonical.canonical());
    }

    public long family() {
        return address.getAddress().length == 4 ? 4 : 6;
    }

    public boolean isGlobalUnicast() {
        byte[] bytes = address.getAddress();
        byte[] broadcast = {-1, -1, -1, -1};
        return !Arrays.equals(bytes, broadcast)
                && !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isMulticastAddress()
                && !address.isLinkLocalAddress();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Pattern;
import io.kubeloop.api.IpAddress;
import io.kubeloop.apiserver.fielderrors.Digits;
import java.util.Arrays;

/**
 * Formats of network names and addresses (upstream: {@code strfmt}, {@code k8s.io/utils/net}). Static functions only.
 */
final class NetworkFormats {

    private static final Pattern HOSTNAME =
            Pattern.compile("([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
                    + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.))+"
                    + "([a-zA-Z\\p{L}]){2,63})");

    /** IPv4 as old releases of Go parse it: with leading zeros. */
    private static final Pattern IPV4 = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)");

    private static final Pattern MAC = Pattern.compile(
            "[0-9a-fA-F]{2}((:[0-9a-fA-F]{2}){2,}|(-[0-9a-fA-F]{2}){2,})|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4})+");

    private NetworkFormats() {}

    static boolean isHostname(String text) {
        return text.length() <= 255
                && HOSTNAME.matcher(text).matches()
                && Arrays.stream(text.split("\\.", -1)).allMatch(label -> label.length() <= 63);
    }

    static boolean isIpv4(String text) {
        return text.indexOf('.') >= 0 && isIp(text);
    }

    private static boolean isIp(String text) {
        return isDotted(text) || isIpv6(text);
    }

    private static boolean isDotted(String text) {
        return IPV4.matcher(text).matches()
                && Arrays.stream(text.split("\\.", -1))
                        .map(part -> withoutZeros(part))
                        .allMatch(part -> part.length() <= 3 && Integer.parseInt(part) <= 255);
    }

    /** Returns a number of one digit or more without leading zeros. */
    private static String withoutZeros(String number) {
        int start = 0;
        while (start < number.length() - 1 && number.charAt(start) == '0') {
            start++;
        }
        return number.substring(start);
    }

    static boolean isIpv6(String text) {
        return text.indexOf(':') >= 0 && text.indexOf('%') < 0 && IpAddress.parse(text) != null;
    }

    static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return false;
        }
        String address = text.substring(0, slash);
        String bits = text.substring(slash + 1);
        int max = address.indexOf(':') >= 0 ? 128 : 32;
        return isIp(address) && Digits.are(bits, 1, 3) && Integer.parseInt(bits) <= max;
    }

    /** Returns whether the text is a hardware address of 6, 8 or 20 bytes. */
    static boolean isMac(String text) {
        long digits = text.chars().filter(c -> Character.digit(c, 16) >= 0).count();
        return MAC.matcher(text).matches() && (digits == 12 || digits == 16 || digits == 40);
    }
}

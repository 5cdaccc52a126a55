package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.api.IpAddress;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Formats of network names and addresses (upstream: {@code strfmt}, {@code k8s.io/utils/net}). Static functions only. */
final class NetworkFormats {

    private static final Pattern HOSTNAME =
            Pattern.compile("([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
                    + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.))+"
                    + "([a-zA-Z\\p{L}]){2,63})");

    /** IPv4 as old releases of Go parse it: with leading zeros. */
    private static final Pattern IPV4 = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)");

    private static final Pattern MAC = Pattern.compile(
            "[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(\\1[0-9a-fA-F]{2})+" + "|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4})+");

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
                        .map(part -> part.replaceFirst("^0+(?=.)", ""))
                        .allMatch(part -> part.length() <= 3 && Integer.parseInt(part) <= 255);
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
        return isIp(address) && bits.matches("\\d{1,3}") && Integer.parseInt(bits) <= max;
    }

    /** Returns whether the text is a hardware address of 6, 8 or 20 bytes. */
    static boolean isMac(String text) {
        int digits = text.replaceAll("[^0-9a-fA-F]", "").length();
        return MAC.matcher(text).matches() && (digits == 12 || digits == 16 || digits == 40);
    }
}

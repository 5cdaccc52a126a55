package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.IpAddress;
import io.kubeloop.apiserver.machinery.FieldErrors;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of IP addresses and CIDR ranges (upstream: {@code apimachinery/pkg/util/validation/ip.go}). */
public final class AddressRules {

    private static final String NO_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    private static final String NO_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

    private AddressRules() {}

    /**
     * Checks an address in an older field, which accepts non-canonical forms; returns whether it is an address.
     *
     * @param kept the old values, which are accepted even if they are invalid
     */
    public static boolean ip(String field, String value, List<String> kept, FieldErrors errors) {
        if (kept.contains(value)) {
            return true;
        }
        String problem = ipProblem(value);
        if (!problem.isEmpty()) {
            errors.invalid(field, value, problem);
        }
        return problem.isEmpty();
    }

    /** Checks an address in a newer field, which accepts only the canonical form; returns whether it is an address. */
    static boolean canonicalIp(String field, String value, FieldErrors errors) {
        String problem = ipProblem(value);
        IpAddress address = IpAddress.parse(value);
        if (problem.isEmpty() && address != null && !address.canonical().equals(value)) {
            problem = "must be in canonical form (\"" + address.canonical() + "\")";
        }
        if (!problem.isEmpty()) {
            errors.invalid(field, value, problem);
        }
        return problem.isEmpty();
    }

    private static String ipProblem(String value) {
        if (IpAddress.parseSloppy(value) == null) {
            return NO_IP;
        }
        if (IpAddress.parse(value) == null) {
            return "must not have leading 0s";
        }
        return isMapped(value) ? "must not be an IPv4-mapped IPv6 address" : "";
    }

    private static boolean isMapped(String value) {
        return value.indexOf(':') >= 0 && !IpAddress.isV6(value);
    }

    /**
     * Checks that an address is reachable: it must not be unspecified, loopback, link-local or link-local
     * multicast.
     */
    public static void reachable(String field, String value, FieldErrors errors) {
        IpAddress parsed = IpAddress.parseSloppy(value);
        if (parsed == null) {
            errors.invalid(field, value, "must be a valid IP address");
            return;
        }
        InetAddress address = resolved(parsed);
        if (address.isAnyLocalAddress()) {
            errors.invalid(field, value, "may not be unspecified (" + value + ")");
        }
        if (address.isLoopbackAddress()) {
            errors.invalid(field, value, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            errors.invalid(field, value, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            errors.invalid(field, value, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    /** Checks a range in an older field, which accepts non-canonical forms. */
    public static void cidr(String field, String value, List<String> kept, FieldErrors errors) {
        String problem = kept.contains(value) ? "" : cidrProblem(value);
        if (!problem.isEmpty()) {
            errors.invalid(field, value, problem);
        }
    }

    private static String cidrProblem(String value) {
        int slash = value.indexOf('/');
        String ip = slash < 0 ? "" : value.substring(0, slash);
        String length = value.substring(slash + 1);
        IpAddress address = IpAddress.parseSloppy(ip);
        if (address == null || !length.matches("[0-9]{1,9}")) {
            return NO_CIDR;
        }
        int bits = ip.indexOf(':') >= 0 ? 128 : 32;
        int prefix = Integer.parseInt(length);
        if (prefix > bits) {
            return NO_CIDR;
        }
        if (IpAddress.parse(ip) == null || !length.equals(Integer.toString(prefix))) {
            return "must not have leading 0s in IP or prefix length";
        }
        if (isMapped(ip)) {
            return "must not have an IPv4-mapped IPv6 address";
        }
        int zeros = new BigInteger(1, resolved(address).getAddress()).getLowestSetBit();
        return zeros >= 0 && zeros < bits - prefix ? "must not have bits set beyond the prefix length" : "";
    }

    /** Returns whether the text is an IPv6 range; null if it is not a range. */
    static @Nullable Boolean isV6Range(String value) {
        IpAddress address = IpAddress.parseSloppy(value.substring(0, Math.max(value.indexOf('/'), 0)));
        return address == null ? null : Boolean.valueOf(address.isV6());
    }

    /** Makes no name lookup, because the address is numeric. */
    private static InetAddress resolved(IpAddress address) {
        try {
            return InetAddress.getByName(address.canonical());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address + " is not an address", e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of IP addresses and CIDR ranges (upstream: {@code apimachinery/pkg/util/validation/ip.go}). */
public final class AddressRules {

    private static final String NO_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    private static final String NO_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

    private AddressRules() {}

    /**
     * Checks an address in a field that predates strict validation, so 010.0.0.1 is accepted; returns whether it is
     * an address.
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
    public static boolean canonicalIp(String field, String value, FieldErrors errors) {
        List<String> problems = canonicalIp(value);
        errors.invalid(field, value, problems);
        return problems.isEmpty();
    }

    /** Returns the problems of an address in a newer field. */
    public static List<String> canonicalIp(String value) {
        String problem = ipProblem(value);
        IpAddress address = IpAddress.parse(value);
        if (problem.isEmpty() && address != null && !address.canonical().equals(value)) {
            problem = "must be in canonical form (\"" + address.canonical() + "\")";
        }
        return problem.isEmpty() ? List.of() : List.of(problem);
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
        InetAddress address = IpRange.resolved(parsed);
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
        IpRange range = IpRange.parse(value);
        if (range == null) {
            return NO_CIDR;
        }
        String ip = value.substring(0, value.indexOf('/'));
        String length = value.substring(ip.length() + 1);
        if (IpAddress.parse(ip) == null || (length.length() > 1 && length.startsWith("0"))) {
            return "must not have leading 0s in IP or prefix length";
        }
        if (isMapped(ip)) {
            return "must not have an IPv4-mapped IPv6 address";
        }
        return range.hasHostBits() ? "must not have bits set beyond the prefix length" : "";
    }

    /**
     * Returns the problem of a range in a newer field, which accepts only the canonical form; empty if there is none.
     */
    private static String canonicalCidrProblem(String value) {
        String problem = cidrProblem(value);
        IpRange range = IpRange.parse(value);
        return problem.isEmpty() && range != null && !range.canonical().equals(value)
                ? "must be in canonical form (\"" + range.canonical() + "\")"
                : problem;
    }

    /** Checks a range in a newer field, which accepts only the canonical form. */
    public static void canonicalCidr(FieldCursor range) {
        String problem = canonicalCidrProblem(range.text());
        if (!problem.isEmpty()) {
            range.holdingText().invalid(problem);
        }
    }

    /** Returns the warnings about a valid address in an older field. */
    public static List<String> ipWarnings(String field, String value) {
        IpAddress address = IpAddress.parseSloppy(value);
        if (address == null) {
            return List.of();
        }
        String quoted = "\"" + value + "\"";
        if (IpAddress.parse(value) == null || isMapped(value)) {
            return List.of(
                    field + ": non-standard IP address " + quoted + " is invalid: use \"" + address.canonical() + "\"");
        }
        return address.isV6() && !address.canonical().equals(value)
                ? List.of(field + ": IPv6 address " + quoted + " should be in RFC 5952 canonical format (\""
                        + address.canonical() + "\")")
                : List.of();
    }

    /** Returns the warnings about a valid range in an older field. */
    public static List<String> cidrWarnings(String field, String value) {
        IpRange range = IpRange.parse(value);
        if (range == null) {
            return List.of();
        }
        String quoted = "\"" + value + "\"";
        List<String> warnings = new ArrayList<>();
        if (range.hasHostBits()) {
            warnings.add(field + ": CIDR value " + quoted + " is ambiguous in this context (should be \""
                    + range.canonical() + "\" or \"" + range.address().canonical() + "/" + range.bits() + "\"?)");
        }
        String problem = cidrProblem(value);
        if (!problem.isEmpty() && !problem.startsWith("must not have bits")) {
            warnings.add(
                    field + ": non-standard CIDR value " + quoted + " is invalid: use \"" + range.canonical() + "\"");
        }
        String written = range.address().canonical() + "/" + range.prefix();
        if (warnings.isEmpty() && range.address().isV6() && !written.equals(value)) {
            warnings.add(field + ": IPv6 CIDR value " + quoted + " should be in RFC 5952 canonical format (\"" + written
                    + "\")");
        }
        return warnings;
    }

    /** Returns whether the text is an IPv6 range; null if it is not a range. */
    public static @Nullable Boolean isV6Range(String value) {
        IpAddress address = IpAddress.parseSloppy(value.substring(0, Math.max(value.indexOf('/'), 0)));
        return address == null ? null : Boolean.valueOf(address.isV6());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The servers that are reached without a proxy: this machine always, and the entries of {@code NO_PROXY}. Immutable.
 *
 * <p>An entry is {@code *} (every server), an address, a network in CIDR notation, or a domain. {@code example.com}
 * matches itself and its subdomains; {@code .example.com} and {@code *.example.com} match only subdomains. Every entry
 * but a network may end in a port. Malformed entries are skipped, as upstream.
 */
final class NoProxy {

    private final List<Rule> rules = new ArrayList<>();

    private NoProxy() {}

    private interface Rule {
        boolean matches(String host, byte @Nullable [] address, int port);
    }

    static NoProxy parse(String list) {
        NoProxy parsed = new NoProxy();
        for (String entry : list.split(",", -1)) {
            Rule rule = rule(entry.strip().toLowerCase(Locale.ROOT));
            if (rule != null) {
                parsed.rules.add(rule);
            }
        }
        return parsed;
    }

    boolean matches(String host, int port) {
        String name = host.strip().toLowerCase(Locale.ROOT);
        byte[] address = IpAddresses.parse(name);
        if (name.equals("localhost") || (address != null && IpAddresses.isLoopback(address))) {
            return true;
        }
        return rules.stream().anyMatch(rule -> rule.matches(name, address, port));
    }

    private static @Nullable Rule rule(String entry) {
        if (entry.isEmpty()) {
            return null;
        }
        if (entry.equals("*")) {
            return (host, address, port) -> true;
        }
        int slash = entry.indexOf('/');
        if (slash >= 0) {
            return network(entry.substring(0, slash), entry.substring(slash + 1));
        }
        byte[] whole = IpAddresses.parse(unbracketed(entry));
        if (whole != null) {
            return (host, address, port) -> Arrays.equals(address, whole);
        }
        int colon = entry.lastIndexOf(':');
        String name = colon < 0 ? entry : entry.substring(0, colon);
        Integer onlyPort = colon < 0 ? null : port(entry.substring(colon + 1));
        if (name.isEmpty() || (colon >= 0 && onlyPort == null)) {
            return null;
        }
        byte[] single = IpAddresses.parse(unbracketed(name));
        if (single != null) {
            return (host, address, port) -> Arrays.equals(address, single) && isPort(onlyPort, port);
        }
        return domain(name.startsWith("*.") ? name.substring(1) : name, onlyPort);
    }

    private static Rule domain(String name, @Nullable Integer onlyPort) {
        boolean belowAlone = name.startsWith(".");
        String suffix = belowAlone ? name : "." + name;
        return (host, address, port) ->
                (host.endsWith(suffix) || (!belowAlone && host.equals(name))) && isPort(onlyPort, port);
    }

    private static @Nullable Rule network(String address, String bits) {
        byte[] base = IpAddresses.parse(address);
        Integer length = bits.matches("[0-9]{1,3}") ? Integer.valueOf(bits) : null;
        if (base == null || length == null || length > base.length * 8) {
            return null;
        }
        return (host, candidate, port) -> candidate != null && IpAddresses.isWithin(candidate, base, length);
    }

    private static String unbracketed(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static boolean isPort(@Nullable Integer wanted, int port) {
        return wanted == null || wanted == port;
    }

    private static @Nullable Integer port(String text) {
        return text.matches("[0-9]{1,5}") ? Integer.valueOf(text) : null;
    }
}

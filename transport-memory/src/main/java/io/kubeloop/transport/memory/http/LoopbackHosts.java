package io.kubeloop.transport.memory.http;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Tells whether a {@code Host} header names this machine. A web page whose host name is made to point at the loopback address
 * after it was loaded (DNS rebinding) sends its own name, and is told apart by it. Immutable.
 */
final class LoopbackHosts implements Predicate<String> {

    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1\\]|.+\\.localhost)(:\\d+)?");

    private final String boundName;

    LoopbackHosts(String boundName) {
        this.boundName = boundName.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean test(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.isEmpty()
                || LOOPBACK.matcher(lower).matches()
                || lower.replaceFirst(":\\d+$", "").equals(boundName);
    }
}

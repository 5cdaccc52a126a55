/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import com.google.re2j.Pattern;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Matches {@code Host} headers that name this machine. In a DNS rebinding attack, a web page points its own host
 * name at the loopback address; its requests carry that name and do not match. Immutable.
 */
public final class LoopbackHosts implements Predicate<String> {

    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1\\]|.+\\.localhost)(:\\d+)?");

    private static final Pattern PORT = Pattern.compile(":\\d+$");

    private final String boundName;

    public LoopbackHosts(String boundName) {
        this.boundName = boundName.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean test(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.isEmpty()
                || LOOPBACK.matcher(lower).matches()
                || PORT.matcher(lower).replaceFirst("").equals(boundName);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import java.security.Security;

/**
 * Shortens the DNS cache of the JVM. By default the JVM caches an address for 30 s and a failed lookup for 10 s. During
 * that time new connections go to the former address of the API server, and a leader loses its lease. (Upstream: Go
 * resolves the name for each connection.)
 *
 * <p>The JVM reads these properties once, at its first lookup. A property that a user has set keeps its value.
 */
final class NameLookups {

    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String NOT_FOUND = "networkaddress.cache.negative.ttl";

    /** The JDK's default for failed lookups, in seconds. */
    private static final String JDK_NOT_FOUND = "10";

    /** One second instead of zero: connections that are opened at the same time share one lookup. */
    private static final String SECONDS = "1";

    private NameLookups() {}

    /** Sets the lifetime of cached lookups. Has no effect after the first lookup. */
    static void forgetSoon() {
        if (Security.getProperty(FOUND) == null && System.getProperty("sun.net.inetaddr.ttl") == null) {
            Security.setProperty(FOUND, SECONDS);
        }
        if (JDK_NOT_FOUND.equals(Security.getProperty(NOT_FOUND))) {
            Security.setProperty(NOT_FOUND, SECONDS);
        }
    }
}

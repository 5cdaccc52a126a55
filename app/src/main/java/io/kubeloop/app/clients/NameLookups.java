package io.kubeloop.app.clients;

import java.security.Security;

/**
 * Has the JVM forget soon where names lead. By default it remembers an address for 30 s and a failed lookup for 10 s, in which
 * every new connection goes to where the API server is not any more: a leader has lost its lease by then (upstream: Go asks for
 * each connection).
 *
 * <p>The JVM takes these properties for good at its first lookup; whoever has set one keeps it.
 */
public final class NameLookups {

    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String NOT_FOUND = "networkaddress.cache.negative.ttl";

    /** What the JDK itself sets for lookups that fail, in seconds. */
    private static final String JDK_NOT_FOUND = "10";

    /** A second, and not none: a hundred connections that are opened at once need one answer. */
    private static final String SECONDS = "1";

    private NameLookups() {}

    /** Sets how long answers are remembered. Does nothing useful after the first lookup. */
    public static void forgetSoon() {
        if (Security.getProperty(FOUND) == null && System.getProperty("sun.net.inetaddr.ttl") == null) {
            Security.setProperty(FOUND, SECONDS);
        }
        if (JDK_NOT_FOUND.equals(Security.getProperty(NOT_FOUND))) {
            Security.setProperty(NOT_FOUND, SECONDS);
        }
    }
}

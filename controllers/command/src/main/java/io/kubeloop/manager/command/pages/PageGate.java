/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decides which requests the pages of a manager answer. Called on the threads of the HTTP server; may block. */
@FunctionalInterface
public interface PageGate {

    /** The answer to a request that is not admitted. */
    record Refusal(int code, String contentType, String body) {}

    /** Returns the answer to a request that is not admitted; null for one that is. */
    @Nullable
    Refusal refusal(HttpServerExchange exchange);

    /**
     * Returns a gate for pages on a loopback address. It admits only requests whose {@code Host} names this machine, so
     * a web page whose name leads to this machine cannot read them (DNS rebinding). On other addresses every
     * request is admitted.
     *
     * @param bound the address that the pages listen on
     */
    static PageGate ofHost(InetAddress bound) {
        return exchange -> {
            return !bound.isLoopbackAddress() || isLocal(exchange.header("Host"))
                    ? null
                    : new Refusal(403, "text/plain; charset=utf-8", "the Host header must name this machine\n");
        };
    }

    private static boolean isLocal(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        int port = lower.lastIndexOf(':');
        String name = port > lower.lastIndexOf(']') ? lower.substring(0, port) : lower;
        boolean isIpv4 = name.startsWith("127.") && name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        return name.isEmpty()
                || isIpv4
                || name.equals("localhost")
                || name.endsWith(".localhost")
                || name.equals("[::1]");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The proxy settings of the environment: {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}, each also in
 * lower case (upstream: {@code golang.org/x/net/http/httpproxy}). Immutable.
 */
final class ProxyEnvironment {

    private final Map<String, String> variables;

    ProxyEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    /**
     * The decision of a variable.
     *
     * @param variable the name of the variable, for messages
     * @param url the URL of the proxy; empty for a direct connection
     */
    record Choice(String variable, String url) {}

    /**
     * Returns the decision for a server; null if the environment has no setting for it.
     *
     * @param scheme http or https
     * @param host a name, or an address without brackets
     */
    @Nullable
    Choice choose(String scheme, String host, int port) {
        // In a CGI program, HTTP_PROXY holds the header "Proxy" of the request, which any client can set.
        boolean cgi = variables.containsKey("REQUEST_METHOD");
        String name = scheme.equals("https") ? "HTTPS_PROXY" : "HTTP_PROXY";
        String url = variable(name);
        if (url.isEmpty() || (cgi && name.equals("HTTP_PROXY"))) {
            return null;
        }
        if (NoProxy.parse(variable("NO_PROXY")).matches(host, port)) {
            return new Choice("NO_PROXY", "");
        }
        return new Choice(name, url.contains("://") ? url : "http://" + url);
    }

    private String variable(String name) {
        return KubeconfigDefaults.either(
                KubeconfigDefaults.orEmpty(variables.get(name)),
                KubeconfigDefaults.orEmpty(variables.get(name.toLowerCase(Locale.ROOT))));
    }
}

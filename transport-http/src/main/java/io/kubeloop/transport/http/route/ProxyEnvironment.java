package io.kubeloop.transport.http.route;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The proxy that {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} ask for, each also in lower case (upstream:
 * {@code golang.org/x/net/http/httpproxy}). Immutable.
 */
final class ProxyEnvironment {

    private final Map<String, String> variables;

    ProxyEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    /**
     * A variable that asks for a proxy.
     *
     * @param variable its name, for messages
     * @param url what it says; empty where no proxy is to be used
     */
    record Choice(String variable, String url) {}

    /**
     * Returns what to do about a server; null if the environment says nothing about it.
     *
     * @param scheme http or https
     * @param host a name, or an address without brackets
     */
    @Nullable
    Choice choose(String scheme, String host, int port) {
        // What a CGI program finds in HTTP_PROXY is the request's header "Proxy", which is anybody's.
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

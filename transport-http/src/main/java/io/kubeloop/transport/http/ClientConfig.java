/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.api.WithMethods;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;

/**
 * The settings of a client of one API server (upstream: {@code rest.Config}).
 *
 * <p>Immutable. {@link #toString()} shows no secret. Empty strings and zero mean "not set". {@link Kubeconfigs} loads a
 * configuration; {@code ClientConfigBuilder} builds one.
 *
 * @param server the URL of the server, with a path prefix if it has one. {@code host:port} without a scheme means https
 *     if {@code tls} is set, else http. Empty means localhost
 * @param tls how the client verifies the server, and the certificate of the client
 * @param auth the credentials of the client
 * @param namespace the namespace that the configuration chooses; {@code default} unless set
 * @param proxyUrl the proxy: http, https or socks5, with {@code user:password@} if needed. Empty means the
 *     environment's and then the JVM's settings
 * @param disableCompression whether requests forbid gzip responses
 * @param timeouts the limits on waiting
 * @param qps the allowed requests per second on average; 0 sets no limit. Opening a watch is not counted
 * @param burst the requests allowed at once before {@code qps} delays them; at least 1 if {@code qps} is set
 * @param userAgent the User-Agent header; empty for the one of this library
 */
@WithMethods
public record ClientConfig(
        String server,
        TlsConfig tls,
        AuthConfig auth,
        String namespace,
        String proxyUrl,
        boolean disableCompression,
        Timeouts timeouts,
        double qps,
        int burst,
        String userAgent)
        implements ClientConfigBuilder.With {

    /** Replaces null by the empty value. Validates the rate limit. */
    public ClientConfig {
        server = KubeconfigDefaults.orEmpty(server);
        tls = tls == null ? TlsConfig.NONE : tls;
        auth = auth == null ? AuthConfig.NONE : auth;
        namespace = KubeconfigDefaults.orEmpty(namespace).isEmpty() ? "default" : namespace;
        proxyUrl = KubeconfigDefaults.orEmpty(proxyUrl);
        timeouts = timeouts == null ? Timeouts.DEFAULT : timeouts;
        userAgent = KubeconfigDefaults.orEmpty(userAgent);
        if (Double.isNaN(qps) || qps < 0 || (qps > 0 && burst < 1)) {
            throw new IllegalArgumentException(
                    "a rate limit needs qps >= 0 and burst >= 1, got qps " + qps + ", burst " + burst);
        }
    }

    /** Returns a configuration with this server and default settings. */
    public static ClientConfig of(String server) {
        return ClientConfigBuilder.builder().server(server).build();
    }

    @Override
    public String toString() {
        return "ClientConfig[server=" + Redaction.withoutSecrets(server) + ", tls=" + tls + ", auth=" + auth
                + ", namespace=" + namespace + ", proxyUrl=" + Redaction.withoutSecrets(proxyUrl)
                + ", disableCompression=" + disableCompression + ", timeouts=" + timeouts + ", qps=" + qps + ", burst="
                + burst + ", userAgent=" + userAgent + "]";
    }

    /**
     * Returns this configuration with a client-side rate limit.
     *
     * @param requestsPerSecond see {@code qps}
     * @param atOnce see {@code burst}
     */
    public ClientConfig withRateLimit(double requestsPerSecond, int atOnce) {
        return ClientConfigBuilder.builder(this)
                .qps(requestsPerSecond)
                .burst(atOnce)
                .build();
    }
}

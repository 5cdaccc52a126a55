package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * Everything needed to talk to one API server (upstream: {@code rest.Config}).
 *
 * <p>Immutable. {@link #toString()} shows no secret. Empty strings and zero mean "not set".
 *
 * @param server URL of the server, with a path prefix if there is one; {@code host:port} alone means https if
 *     {@code tls} says anything, else http; empty means localhost
 * @param tls how the server is verified and what certificate is shown to it
 * @param auth who the client says it is
 * @param namespace the namespace chosen where the configuration came from; {@code default} unless said otherwise
 * @param proxyUrl proxy to go through: http, https or socks5, with {@code user:password@} if need be; empty leaves it to the
 *     environment and the JVM's settings
 * @param disableCompression whether answers are asked for without gzip
 * @param timeouts how long to wait for what
 * @param qps requests per second allowed on average; 0 sets no limit. Opening a watch is not counted
 * @param burst requests allowed at once before {@code qps} holds them back; at least 1 if {@code qps} is set
 * @param userAgent the User-Agent header; empty for this library's own
 */
@RecordBuilder
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
        String userAgent) {

    /** Fills in what is absent; checks the rate limit. */
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

    /** Returns a configuration with a server and defaults. */
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

    /** Returns this configuration with a client-side rate limit. */
    public ClientConfig withRateLimit(double requestsPerSecond, int atOnce) {
        return ClientConfigBuilder.builder(this)
                .qps(requestsPerSecond)
                .burst(atOnce)
                .build();
    }
}

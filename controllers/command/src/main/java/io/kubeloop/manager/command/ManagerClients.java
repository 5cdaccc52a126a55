/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import io.kubeloop.command.Version;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.ProtobufCodec;
import io.kubeloop.manager.ClientBuilder;
import io.kubeloop.manager.ServiceAccountClientBuilder;
import io.kubeloop.manager.SharedClientBuilder;
import io.kubeloop.transport.http.AuthConfig;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ClientConfigBuilder;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.http.RequestMetricsProvider;
import io.kubeloop.transport.http.Timeouts;
import io.kubeloop.transport.http.TimeoutsBuilder;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.TlsConfigBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * The HTTP clients of a controller manager: one for informers, one for the lease, and one for each controller. Each has
 * its own connections, so no other request delays the renewal of the lease. The clients of controllers have a rate
 * limit and reject writes while this process is not the leader. Thread-safe.
 */
final class ManagerClients implements AutoCloseable {

    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

    private final ClientConfig config;
    private final ManagerSettings settings;
    private final RequestMetricsProvider metrics;
    private final UnaryOperator<Transport> observed;
    private final ObjectCodec codec;
    private final KubeClient informers;
    private final KubeClient election;
    private final ClientBuilder builder;
    private volatile BooleanSupplier mayWrite = () -> true;

    /**
     * Creates the clients of informers and lease. {@link #fenced} creates those of controllers on request.
     *
     * @param metrics receives the metrics of all requests
     * @param observed wraps the transports of informers and controllers for those who watch the requests
     */
    ManagerClients(
            ClientConfig config,
            ManagerSettings settings,
            RequestMetricsProvider metrics,
            UnaryOperator<Transport> observed) {
        this.config = config;
        this.settings = settings;
        this.metrics = metrics;
        this.observed = observed;
        JsonCodec json = JsonCodec.standard();
        this.codec = settings.protobuf() ? ProtobufCodec.of(json) : json;
        this.informers = KubeClient.of(observed.apply(transport(config, "shared-informers", () -> true)), codec);
        ClientConfig impatient = impatient(config, settings.renewDeadline(), settings.retryPeriod());
        this.election = KubeClient.of(transport(impatient, "leader-election", () -> true), codec);
        this.builder = settings.serviceAccountCredentials()
                ? new ServiceAccountClientBuilder(informers, id -> limited(as(id), id.name()), codec, Clock.systemUTC())
                : new SharedClientBuilder(name -> limited(config, name), codec);
    }

    /**
     * Returns the configuration with a call timeout of half the renew deadline and a ping every retry period, both at
     * least one second. A dead connection of HTTP/2 is then noticed after two retry periods, and one of HTTP/1.1 after
     * half the renew deadline: early enough for another attempt on a new connection, also on a busy machine.
     */
    static ClientConfig impatient(ClientConfig config, Duration renewDeadline, Duration retryPeriod) {
        Timeouts timeouts = TimeoutsBuilder.builder(config.timeouts())
                .call(atLeastPatience(renewDeadline.dividedBy(2)))
                .ping(atLeastPatience(retryPeriod))
                .build();
        return ClientConfigBuilder.builder(config).timeouts(timeouts).build();
    }

    private static Duration atLeastPatience(Duration limit) {
        return limit.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : limit;
    }

    /** Returns the configuration with the token instead of all other credentials. */
    private ClientConfig as(ServiceAccountClientBuilder.Identity identity) {
        return ClientConfigBuilder.builder(config)
                .auth(AuthConfig.bearer(identity.token()))
                .tls(withoutCertificate(config.tls()))
                .build();
    }

    private static TlsConfig withoutCertificate(TlsConfig tls) {
        return TlsConfigBuilder.builder(tls)
                .certFile("")
                .certData("")
                .keyFile("")
                .keyData("")
                .build();
    }

    private Transport limited(ClientConfig base, String name) {
        // As upstream: one sync of a namespace sends about 150 requests.
        boolean isChatty = name.equals("namespace-controller");
        ClientConfig limited = settings.qps() > 0
                ? base.withRateLimit(settings.qps() * (isChatty ? 20 : 1), settings.burst() * (isChatty ? 100 : 1))
                : base;
        BooleanSupplier leading = () -> mayWrite.getAsBoolean();
        // Checked twice: before the waits of the rate limit, which a rejected write must not use up, and after
        // them, so no write leaves after the lease is lost.
        return new FencedTransport(observed.apply(transport(limited, name, leading)), leading);
    }

    private Transport transport(ClientConfig base, String name, BooleanSupplier allowed) {
        // The server takes the part before the slash as the field manager in managedFields.
        String userAgent = "kubeloop-controller-manager/" + Version.current() + " (" + System.getProperty("os.name")
                + "/" + System.getProperty("os.arch") + ") " + name;
        return OkHttpTransport.builder(
                        ClientConfigBuilder.builder(base).userAgent(userAgent).build())
                .mayWrite(allowed)
                .metrics(metrics)
                .build();
    }

    /** Returns the builder of the clients of controllers, whose writes are rejected while the condition is false. */
    ClientBuilder fenced(BooleanSupplier leading) {
        mayWrite = leading;
        return builder;
    }

    /** Returns the client of the informers. Its writes are never rejected; events of the election use it too. */
    KubeClient informers() {
        return informers;
    }

    /** Returns the client of the lease. Its writes are never rejected. */
    KubeClient forLeaderElection() {
        return election;
    }

    @Override
    public void close() {
        builder.close();
        election.close();
        informers.close();
    }
}

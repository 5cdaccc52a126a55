/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.http.ClientAuthorities;
import io.kubeloop.apiserver.http.wire.ServerTls;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.DaemonThreads;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import io.kubeloop.controller.certificates.SelfSignedCertificate;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.manager.command.serving.CachedReviews;
import io.kubeloop.manager.command.serving.CipherSuites;
import io.kubeloop.manager.command.serving.ClientTrust;
import io.kubeloop.manager.command.serving.DelegatedAuthentication;
import io.kubeloop.manager.command.serving.DelegatedAuthorization;
import io.kubeloop.manager.command.serving.DelegatedGate;
import io.kubeloop.manager.command.serving.LookedUpTrust;
import io.kubeloop.manager.command.serving.ServingKey;
import io.kubeloop.manager.command.serving.ServingKeys;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.transport.http.Kubeconfigs;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of a manager over HTTPS, with the flags of the original: its certificate, and who may read the pages.
 * Thread-safe.
 */
final class SecurePages implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SecurePages.class);
    private static final String NAME = "kube-controller-manager";

    private final OptionValues values;
    private final List<Transport> transports = new ArrayList<>();
    private final @Nullable LookedUpTrust lookup;
    private final Scheduler lookups;
    private final ManagerHttp http;

    /**
     * Binds a port, 0 for a free one; see {@link #bind}.
     *
     * @param lookups runs the lookups of authorities, which block its thread; {@link #close} closes it
     */
    SecurePages(OptionValues values, int port, Scheduler lookups) {
        this.values = values;
        this.lookups = lookups;
        Transport authentication = transport("authentication-kubeconfig");
        Transport authorization = transport("authorization-kubeconfig");
        lookup = authentication == null || values.bool("authentication-skip-lookup")
                ? null
                : new LookedUpTrust(trust(values), authentication, lookups);
        ClientTrust given = trust(values);
        Supplier<ClientTrust> trust = lookup == null ? () -> given : lookup;
        http = ManagerHttp.bindSecure(
                values.text("bind-address"),
                port,
                tls(values),
                new DelegatedGate(
                        new DelegatedAuthentication(trust, authentication == null ? null : tokens(authentication)),
                        new DelegatedAuthorization(
                                values.texts("authorization-always-allow-paths"),
                                authorization == null ? null : access(authorization))),
                values.bool("permit-port-sharing"));
    }

    /**
     * Binds the port, without answering yet; null if the options turn the pages off.
     *
     * @throws CommandException if the server cannot listen on the port that the options name; if they name none, there
     *     are no pages
     * @throws UsageException if a file cannot be read
     */
    static @Nullable SecurePages bind(OptionValues values) {
        if (values.integer("secure-port") == 0) {
            return null;
        }
        try {
            return new SecurePages(values, values.integer("secure-port"), Scheduler.system(DaemonThreads.factory()));
        } catch (CommandException e) {
            if (values.isSet("secure-port")) {
                throw e;
            }
            LOG.warn(
                    "No pages over HTTPS, because another program has the default port: {}; set --secure-port",
                    e.getMessage());
            return null;
        }
    }

    /** Returns the server, for its pages. */
    ManagerHttp http() {
        return http;
    }

    /**
     * Looks up the authorities of clients, and begins to refresh them. Call it once, when the API server answers.
     *
     * @throws CommandException if the server refuses that, and the options do not tolerate it
     */
    void lookUp() {
        if (lookup == null) {
            return;
        }
        try {
            lookup.lookUp();
        } catch (ApiException | IllegalArgumentException e) {
            if (!values.bool("authentication-tolerate-lookup-failure")) {
                throw new CommandException(
                        "cannot look up the authorities of clients: " + e.getMessage()
                                + "; grant the role extension-apiserver-authentication-reader in kube-system, or set"
                                + " --authentication-skip-lookup or --authentication-tolerate-lookup-failure",
                        e);
            }
        }
    }

    private @Nullable Transport transport(String option) {
        String file = values.text(option);
        if (file.isEmpty()) {
            return null;
        }
        Transport transport = OkHttpTransport.create(Kubeconfigs.fromFlags("", file));
        transports.add(transport);
        return transport;
    }

    private CachedReviews<Optional<UserInfo>> tokens(Transport transport) {
        Duration lifetime = values.duration("authentication-token-webhook-cache-ttl");
        return new CachedReviews<>(
                transport,
                "/apis/authentication.k8s.io/v1/tokenreviews",
                DelegatedAuthentication::reviewed,
                caller -> lifetime,
                System::nanoTime);
    }

    private CachedReviews<Boolean> access(Transport transport) {
        Duration allowed = values.duration("authorization-webhook-cache-authorized-ttl");
        Duration denied = values.duration("authorization-webhook-cache-unauthorized-ttl");
        return new CachedReviews<>(
                transport,
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                review -> review.bool("status", "allowed"),
                isAllowed -> isAllowed ? allowed : denied,
                System::nanoTime);
    }

    private static ClientTrust trust(OptionValues values) {
        return new ClientTrust(
                authority(values, "client-ca-file"),
                authority(values, "requestheader-client-ca-file"),
                values.texts("requestheader-allowed-names"),
                values.texts("requestheader-username-headers"),
                values.texts("requestheader-uid-headers"),
                values.texts("requestheader-group-headers"),
                values.texts("requestheader-extra-headers-prefix"));
    }

    private static @Nullable ClientAuthorities authority(OptionValues values, String option) {
        String file = values.text(option);
        try {
            return file.isEmpty() ? null : ClientAuthorities.load(Files.readAllBytes(Path.of(file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("--" + option + ": cannot read " + file + ": " + e.getMessage());
        }
    }

    private static ServerTls tls(OptionValues values) {
        SSLContext context = context(new ServingKeys(servingKey(values), namedKeys(values)));
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setWantClientAuth(true);
        List<String> suites = values.texts("tls-cipher-suites");
        try {
            parameters.setProtocols(CipherSuites.versions(values.text("tls-min-version")));
            if (!suites.isEmpty()) {
                parameters.setCipherSuites(CipherSuites.enabled(
                        suites, context.getSupportedSSLParameters().getCipherSuites()));
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        return new ServerTls(context, parameters);
    }

    private static SSLContext context(ServingKeys keys) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, new TrustManager[] {ClientAuthorities.acceptingAny()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    /**
     * Returns the certificate of the options, that of the directory, or a new one; a new one is written into the
     * directory.
     */
    private static ServingKey servingKey(OptionValues values) {
        String certificate = values.text("tls-cert-file");
        String key = values.text("tls-private-key-file");
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new UsageException("--tls-cert-file and --tls-private-key-file require each other");
        }
        try {
            if (!certificate.isEmpty()) {
                return ServingKey.ofFiles(Path.of(certificate), Path.of(key));
            }
            String directory = values.text("cert-dir");
            return directory.isEmpty() ? selfSigned() : inDirectory(Path.of(directory));
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("the serving certificate cannot be used: " + e);
        }
    }

    private static List<ServingKeys.Named> namedKeys(OptionValues values) {
        List<ServingKeys.Named> keys = new ArrayList<>();
        for (String text : values.texts("tls-sni-cert-key")) {
            String[] parts = text.split(":", 2);
            String[] files = parts[0].split(",", -1);
            try {
                keys.add(new ServingKeys.Named(
                        ServingKey.ofFiles(Path.of(files[0]), Path.of(files[1])),
                        parts.length == 1 ? List.of() : List.of(parts[1].split(",", -1))));
            } catch (IOException | IllegalArgumentException e) {
                throw new UsageException("failed to load SNI cert and key: " + e);
            }
        }
        return keys;
    }

    private static ServingKey selfSigned() {
        SelfSignedCertificate made = SelfSignedCertificate.create(Instant.now());
        return ServingKey.ofText(made.certificate(), made.key());
    }

    private static ServingKey inDirectory(Path directory) throws IOException {
        Path certificate = directory.resolve(NAME + ".crt");
        Path key = directory.resolve(NAME + ".key");
        if (!Files.exists(certificate) || !Files.exists(key)) {
            SelfSignedCertificate made = SelfSignedCertificate.create(Instant.now());
            Files.createDirectories(directory);
            Files.deleteIfExists(key);
            Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(key, made.key());
            Files.writeString(certificate, made.certificate());
        }
        return ServingKey.ofFiles(certificate, key);
    }

    @Override
    public void close() {
        http.close();
        transports.forEach(Transport::close); // ends a lookup, which the scheduler would wait for
        lookups.close();
    }
}

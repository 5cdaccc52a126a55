/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.transport.http.AuthConfig;
import io.kubeloop.transport.http.AuthProvider;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the source of credentials that a configuration requires. Stateless. */
public final class Credentials {

    private Credentials() {}

    /**
     * Returns the source.
     *
     * @param sink receives the certificate of an exec plugin
     * @param execTimeout the longest run of an exec plugin
     * @param scheduler the clocks
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, or requires
     *     what is not supported
     */
    public static CredentialSource of(
            ClientConfig config, ExecPlugin.CertificateSink sink, Duration execTimeout, Scheduler scheduler) {
        AuthConfig auth = config.auth();
        boolean bearer = !auth.token().isEmpty() || !auth.tokenFile().isEmpty();
        boolean basic = !auth.username().isEmpty() || !auth.password().isEmpty();
        AuthProvider provider = auth.authProvider();
        ExecConfig exec = auth.exec();
        if (provider != null) {
            throw refused("auth-provider \"" + provider.name()
                    + "\" is not supported: configure an exec plugin instead, such as " + replacement(provider));
        }
        if (bearer && basic) {
            throw refused("a bearer token and a user name with password exclude each other");
        }
        if (auth.impersonation().isIncomplete()) {
            throw refused("impersonating a uid, groups or extra attributes needs a user to impersonate");
        }
        if (!auth.tokenFile().isEmpty()) {
            return new TokenFile(Path.of(auth.tokenFile()), auth.token(), scheduler::nanoTime);
        }
        if (bearer) {
            return CredentialSource.fixed("Bearer " + auth.token().strip());
        }
        if (basic) {
            return CredentialSource.fixed(
                    okhttp3.Credentials.basic(auth.username(), auth.password(), StandardCharsets.UTF_8));
        }
        // As upstream, a configured certificate makes the plugin unnecessary.
        if (exec != null && !config.tls().hasCertificate()) {
            return new ExecPlugin(exec, config, sink, execTimeout, scheduler::now);
        }
        return CredentialSource.fixed(null);
    }

    private static String replacement(AuthProvider provider) {
        return switch (provider.name()) {
            case "gcp" -> "gke-gcloud-auth-plugin";
            case "azure" -> "kubelogin (Azure)";
            case "oidc" -> "kubectl-oidc_login (kubelogin)";
            default -> "a program that implements client.authentication.k8s.io/v1";
        };
    }

    private static TransportException refused(String message) {
        return new TransportException(Kind.CONFIGURATION, message, null);
    }

    /**
     * A bearer token in a file that another process refreshes, as the kubelet does for service accounts (upstream:
     * {@code client-go/transport/token_source.go}). Thread-safe.
     *
     * <p>The file is read again when the token is 50 s old, and at once after a 401. While the file cannot be read, the
     * last good token stays in use.
     */
    private static final class TokenFile implements CredentialSource {

        private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
        private static final Duration MAX_AGE = Duration.ofSeconds(50);

        /**
         * A token and the time at which it was read. {@code fromFile} is false for the token that was configured beside
         * the file.
         */
        private record Token(String value, long readAt, boolean fromFile) {}

        // `token` is replaced as a whole. Two threads may read the file at the same time; both get its content, so
        // there is no lock.
        private final Path file;
        private final LongSupplier nanoTime;
        private volatile @Nullable Token token;

        /** Makes a source. The initial token (empty for none) is used while the file cannot be read. */
        TokenFile(Path file, String initial, LongSupplier nanoTime) {
            this.file = file;
            this.nanoTime = nanoTime;
            this.token = initial.isEmpty() ? null : new Token(initial.strip(), nanoTime.getAsLong(), false);
        }

        @Override
        public String authorization() {
            Token last = token;
            if (last != null && last.fromFile() && nanoTime.getAsLong() - last.readAt() < MAX_AGE.toNanos()) {
                return "Bearer " + last.value();
            }
            return "Bearer " + read(last).value();
        }

        @Override
        public boolean renew(@Nullable String refused, BooleanSupplier otherCertificate) {
            return !("Bearer " + read(token).value()).equals(refused);
        }

        private Token read(@Nullable Token last) {
            long now = nanoTime.getAsLong();
            @Nullable String problem;
            try {
                String text = Files.readString(file, StandardCharsets.UTF_8).strip();
                problem = problem(text);
                if (problem == null) {
                    Token fresh = new Token(text, now, true);
                    token = fresh;
                    return fresh;
                }
            } catch (IOException e) {
                problem = IoErrors.reason(e);
            }
            if (last == null) {
                throw new TransportException(
                        Kind.CONFIGURATION, "cannot read token file " + file + ": " + problem, null);
            }
            LOG.warn("cannot read token file {}: {}; the last token stays in use", file, problem);
            Token kept = new Token(last.value(), now, true);
            token = kept;
            return kept;
        }

        /** Returns the problem of the content, or null. */
        private static @Nullable String problem(String text) {
            if (text.isEmpty()) {
                return "it is empty";
            }
            // A header cannot contain such a token, and every request would fail until the next read.
            return text.chars().anyMatch(Character::isISOControl)
                    ? "it has a line break or another control character in it"
                    : null;
        }
    }
}

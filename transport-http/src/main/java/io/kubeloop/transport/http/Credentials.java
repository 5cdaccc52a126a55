package io.kubeloop.transport.http;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.function.LongSupplier;

/** Chooses the source of credentials that a configuration asks for. */
final class Credentials {

    private Credentials() {}

    /**
     * Returns the source.
     *
     * @param sink where an exec plugin's certificate goes
     * @param execTimeout how long an exec plugin may take
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, or asks for what is
     *     not supported
     */
    static CredentialSource of(
            ClientConfig config, ExecPlugin.CertificateSink sink, Duration execTimeout, LongSupplier nanoTime) {
        AuthConfig auth = config.auth();
        boolean bearer = !auth.token().isEmpty() || !auth.tokenFile().isEmpty();
        boolean basic = !auth.username().isEmpty() || !auth.password().isEmpty();
        AuthProvider provider = auth.authProvider();
        ExecConfig exec = auth.exec();
        if (provider != null) {
            throw refused("auth-provider \"" + provider.name()
                    + "\" is not supported: configure an exec plugin instead, such as " + provider.replacement());
        }
        if (bearer && basic) {
            throw refused("a bearer token and a user name with password exclude each other");
        }
        if (auth.impersonation().isIncomplete()) {
            throw refused("impersonating a uid, groups or extra attributes needs a user to impersonate");
        }
        if (!auth.tokenFile().isEmpty()) {
            return new TokenFile(Path.of(auth.tokenFile()), auth.token(), nanoTime);
        }
        if (bearer) {
            return CredentialSource.fixed("Bearer " + auth.token().strip());
        }
        if (basic) {
            return CredentialSource.fixed(basic(auth.username(), auth.password()));
        }
        // A certificate of the configuration's own makes the plugin unnecessary, as upstream.
        if (exec != null && !config.tls().hasCertificate()) {
            return new ExecPlugin(exec, config, sink, execTimeout, Clock.systemUTC());
        }
        return CredentialSource.fixed(null);
    }

    static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static TransportException refused(String message) {
        return new TransportException(Kind.CONFIGURATION, message, null);
    }
}

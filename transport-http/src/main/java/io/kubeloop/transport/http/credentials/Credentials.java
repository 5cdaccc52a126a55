/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.AuthConfig;
import io.kubeloop.transport.http.AuthProvider;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.pacing.CallTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Chooses the source of credentials that a configuration requires. Stateless. */
public final class Credentials {

    private Credentials() {}

    /**
     * Returns the source.
     *
     * @param sink receives the certificate of an exec plugin
     * @param execTimeout the longest run of an exec plugin
     * @param time the clocks
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, or requires
     *     what is not supported
     */
    public static CredentialSource of(
            ClientConfig config, ExecPlugin.CertificateSink sink, Duration execTimeout, CallTime time) {
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
            return new TokenFile(Path.of(auth.tokenFile()), auth.token(), time.nanoTime());
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
            return new ExecPlugin(exec, config, sink, execTimeout, time.wall());
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.TlsConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ExecCredential} object: the input and the output of an exec plugin. Immutable; {@link #toString()} shows
 * no secret.
 *
 * @param authorization the value of the header, or null if there is only a certificate
 * @param certificate the client certificate as PEM; empty for none
 * @param key the key of the certificate
 * @param expires the time at which the credential expires, or null for never
 */
public record ExecCredential(
        @Nullable String authorization,
        String certificate,
        String key,
        @Nullable Instant expires) {

    private static final String GROUP = "client.authentication.k8s.io/";

    /** Rejects versions that no server supports any more, and programs that require a terminal. */
    static void checkVersion(ExecConfig exec) {
        if (!exec.apiVersion().equals(GROUP + "v1") && !exec.apiVersion().equals(GROUP + "v1beta1")) {
            throw new TransportException(
                    Kind.CONFIGURATION,
                    "exec plugin " + exec.command() + ": apiVersion \"" + exec.apiVersion()
                            + "\" is not supported, only client.authentication.k8s.io/v1 and v1beta1",
                    null);
        }
        if (exec.interactiveMode().equals("Always")) {
            throw new TransportException(
                    Kind.CONFIGURATION,
                    "exec plugin " + exec.command() + ": interactiveMode Always needs a terminal, and there is none",
                    null);
        }
    }

    /** Returns the object that the program receives in its environment. */
    public static String request(ExecConfig exec, ClientConfig config) throws IOException {
        JsonObject spec = JsonObject.EMPTY.with("interactive", false);
        if (exec.provideClusterInfo()) {
            JsonObject cluster = cluster(config);
            spec = spec.with(
                    "cluster",
                    exec.clusterConfig().isEmpty()
                            ? cluster
                            : cluster.with("config", JsonValue.parse(exec.clusterConfig())));
        }
        return JsonObject.builder()
                .put("apiVersion", exec.apiVersion())
                .put("kind", "ExecCredential")
                .put("spec", spec)
                .build()
                .toString();
    }

    private static JsonObject cluster(ClientConfig config) throws IOException {
        TlsConfig tls = config.tls();
        JsonObject.Builder cluster = JsonObject.builder().put("server", config.server());
        String ca = tls.caData().isEmpty() && !tls.caFile().isEmpty()
                ? Files.readString(Path.of(tls.caFile()), StandardCharsets.ISO_8859_1)
                : tls.caData();
        if (!ca.isEmpty()) {
            cluster.put(
                    "certificate-authority-data",
                    Base64.getEncoder().encodeToString(ca.getBytes(StandardCharsets.ISO_8859_1)));
        }
        if (!tls.serverName().isEmpty()) {
            cluster.put("tls-server-name", tls.serverName());
        }
        if (tls.insecure()) {
            cluster.put("insecure-skip-tls-verify", true);
        }
        if (!config.proxyUrl().isEmpty()) {
            cluster.put("proxy-url", config.proxyUrl());
        }
        return cluster.build();
    }

    /** Reads the output of the program. Messages never quote the output, which contains secrets. */
    static ExecCredential parse(String output, String apiVersion) throws IOException {
        JsonObject document;
        try {
            document = JsonObject.parse(output);
        } catch (RuntimeException e) {
            throw new IOException("its output is not a JSON object");
        }
        if (!document.string("kind").equals("ExecCredential")
                || !document.string("apiVersion").equals(apiVersion)) {
            throw new IOException("answered with a " + document.string("apiVersion") + " " + document.string("kind")
                    + ", expected a " + apiVersion + " ExecCredential");
        }
        String token = document.string("status", "token");
        String certificate = document.string("status", "clientCertificateData");
        String key = document.string("status", "clientKeyData");
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new IOException("answered with only one of clientCertificateData and clientKeyData");
        }
        if (token.isEmpty() && certificate.isEmpty()) {
            throw new IOException("answered with neither a token nor a client certificate");
        }
        return new ExecCredential(
                token.isEmpty() ? null : "Bearer " + token,
                certificate,
                key,
                expiration(document.string("status", "expirationTimestamp")));
    }

    private static @Nullable Instant expiration(String text) throws IOException {
        try {
            return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new IOException("answered with an expirationTimestamp that is not RFC 3339: " + text);
        }
    }

    @Override
    public String toString() {
        return "ExecCredential[expires=" + expires + "]";
    }
}

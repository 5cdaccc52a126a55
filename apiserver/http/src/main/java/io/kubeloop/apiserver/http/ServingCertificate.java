/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.apiserver.http.wire.ServerTls;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS material of a server: a certificate with its key, and the authorities of client certificates. Reads PEM with
 * the JDK only. Immutable.
 */
public final class ServingCertificate {

    private final SSLContext context;
    private final @Nullable ClientAuthorities clients;

    private ServingCertificate(SSLContext context, @Nullable ClientAuthorities clients) {
        this.context = context;
        this.clients = clients;
    }

    /** Returns a server's side of TLS that an existing context provides; it requests no client certificates. */
    public static ServingCertificate of(SSLContext context) {
        return new ServingCertificate(context, null);
    }

    /**
     * Reads a certificate and its key; see {@link #load(byte[], String, ClientAuthorities)}. The server requests no
     * client certificates.
     */
    public static ServingCertificate load(byte[] certificates, String key) {
        return load(certificates, key, null);
    }

    /**
     * Reads a certificate and its key.
     *
     * @param certificates the server's certificate, followed by its intermediate certificates, in PEM
     * @param key the private key in PEM as PKCS#8 ({@code BEGIN PRIVATE KEY}): RSA, EC or Ed25519
     * @param clients the authorities that issue client certificates; null if the server requests none
     * @throws IllegalArgumentException if the certificate or the key cannot be used; the message names the reason
     *     and contains nothing of the key
     */
    public static ServingCertificate load(byte[] certificates, String key, @Nullable ClientAuthorities clients) {
        KeyManager[] keys = PemTls.keys(certificates, key);
        TrustManager[] trust = clients == null ? null : new TrustManager[] {clients.requesting()};
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            return new ServingCertificate(context, clients);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks TLS", e);
        }
    }

    /** Returns the server's side of TLS, for the listener. */
    ServerTls tls() {
        return ServerTls.of(context, clients != null);
    }

    /** Returns the authorities of client certificates; null if the server requests none. */
    @Nullable
    ClientAuthorities clients() {
        return clients;
    }
}

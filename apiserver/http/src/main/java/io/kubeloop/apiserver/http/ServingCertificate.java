/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.wire.ServerTls;
import io.kubeloop.apiserver.rest.PemBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
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
        try {
            Collection<? extends Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificates));
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("the certificate file holds no certificate");
            }
            PublicKey publicKey = chain.iterator().next().getPublicKey();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", read(key, publicKey), new char[0], chain.toArray(Certificate[]::new));
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trust = clients == null ? null : new TrustManager[] {clients.requesting()};
            context.init(managers.getKeyManagers(), trust, null);
            return new ServingCertificate(context, clients);
        } catch (CertificateException e) {
            throw new IllegalArgumentException("the certificate file cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("certificate and key cannot be used: " + e.getMessage(), e);
        }
    }

    /** Returns the server's side of TLS, for the listener. */
    ServerTls tls() {
        return new ServerTls(context, clients != null);
    }

    /** Returns the authorities of client certificates; null if the server requests none. */
    @Nullable
    ClientAuthorities clients() {
        return clients;
    }

    private static PrivateKey read(String pem, PublicKey publicKey) throws GeneralSecurityException {
        PemBlock block = PemBlock.all(pem).stream()
                .filter(found -> found.type().endsWith("PRIVATE KEY"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the key file holds no private key in PEM"));
        if (!block.type().equals("PRIVATE KEY")) {
            throw new IllegalArgumentException("the key file holds a \"" + block.type()
                    + "\", and a \"PRIVATE KEY\" is needed: convert it by `openssl pkcs8 -topk8 -nocrypt`");
        }
        try {
            return KeyFactory.getInstance(publicKey.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(block.content()));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the key file holds no key of the certificate's kind, " + publicKey.getAlgorithm(), e);
        }
    }
}

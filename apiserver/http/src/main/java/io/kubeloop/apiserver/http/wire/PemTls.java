/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import io.kubeloop.json.encoding.Pem;
import io.kubeloop.json.encoding.TrustBundle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** TLS material from PEM, with the JDK only. The messages of the exceptions name the reason, and nothing of a key. */
public final class PemTls {

    /** The name of the certificate in what {@link #keys} returns. */
    public static final String ALIAS = "own";

    private PemTls() {}

    /**
     * Returns the key manager of a certificate.
     *
     * @param certificates the certificate, followed by its intermediate certificates
     * @param key the private key as PKCS#8 ({@code BEGIN PRIVATE KEY}): RSA, EC or Ed25519
     * @throws IllegalArgumentException if the certificate or the key cannot be used
     */
    public static KeyManager[] keys(byte[] certificates, String key) {
        try {
            Collection<? extends Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificates));
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("the certificate file holds no certificate");
            }
            PublicKey publicKey = chain.iterator().next().getPublicKey();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(ALIAS, read(key, publicKey), new char[0], chain.toArray(Certificate[]::new));
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, new char[0]);
            return managers.getKeyManagers();
        } catch (CertificateException e) {
            throw new IllegalArgumentException("the certificate file cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("certificate and key cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the trust manager of authorities.
     *
     * @param certificates one or more certificates; one that cannot be read is skipped
     * @throws IllegalArgumentException if none can be read
     */
    public static X509TrustManager trust(byte[] certificates) {
        return TrustBundle.parse(new String(certificates, StandardCharsets.ISO_8859_1))
                .trustManager();
    }

    /**
     * Returns the trust manager of the authorities of clients, all of which must be readable.
     *
     * @param certificates one or more certificates
     * @throws IllegalArgumentException if there is none, or one cannot be read
     */
    public static X509TrustManager trustAll(byte[] certificates) {
        try {
            List<X509Certificate> authorities =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(certificates))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (authorities.isEmpty()) {
                throw new IllegalArgumentException("the file holds no certificate");
            }
            return new TrustBundle(authorities, 0).trustManager();
        } catch (CertificateException e) {
            throw new IllegalArgumentException("the file cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a client's side of TLS.
     *
     * @param keys the client's certificate from {@link #keys}; empty for none
     * @param trust the trusted authorities; empty for those of the JDK
     */
    public static SSLContext client(KeyManager[] keys, TrustManager... trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.length == 0 ? null : keys, trust.length == 0 ? null : trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks TLS", e);
        }
    }

    /** Returns a trust manager that accepts every server, and no client. */
    public static TrustManager insecure() {
        return new OneSidedTrust(false);
    }

    /**
     * Returns a trust manager that accepts every client, and no server.
     *
     * @param authorities are named in the request for a certificate
     */
    public static TrustManager anyClient(X509Certificate... authorities) {
        return new OneSidedTrust(true, authorities);
    }

    private static PrivateKey read(String pem, PublicKey publicKey) throws GeneralSecurityException {
        Pem block = Pem.blocks(pem).stream()
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

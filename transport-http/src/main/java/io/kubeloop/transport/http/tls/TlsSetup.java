package io.kubeloop.transport.http.tls;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.TlsConfig;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Turns a {@link TlsConfig} and its content into what OkHttp needs. Host names are always verified, except where everything
 * is trusted.
 *
 * @param factory makes sockets; every setup has its own, and with it a cache of sessions of its own, so that no connection
 *     resumes a session that was agreed upon with other certificates
 * @param trust who is believed
 */
public record TlsSetup(SSLSocketFactory factory, X509TrustManager trust) {

    /**
     * Refuses contradictions.
     *
     * @throws TransportException of kind {@code CONFIGURATION}
     */
    public static void check(TlsConfig tls) {
        if (tls.insecure() && tls.hasCa()) {
            throw refused("a certificate authority and insecure-skip-tls-verify exclude each other", null);
        }
        if (tls.hasCertificate() != tls.hasKey()) {
            throw refused("a client certificate and a client key need each other", null);
        }
    }

    /**
     * Sets TLS up.
     *
     * @param provider who speaks TLS; null for the JVM, which also speaks it for a client whose key others may not know
     * @throws TransportException of kind {@code CONFIGURATION} if something makes no sense
     */
    public static TlsSetup of(TlsConfig tls, TlsMaterial material, @Nullable Provider provider) {
        X509ExtendedTrustManager trust =
                tls.insecure() ? new TrustEverything() : trustManager(tls, material.authorities());
        ClientIdentity identity = material.hasIdentity() ? identity(tls, material) : null;
        boolean byJvm = provider == null || (identity != null && !identity.isWidelyKnown());
        try {
            SSLContext context = byJvm ? SSLContext.getInstance("TLS") : SSLContext.getInstance("TLS", provider);
            context.init(
                    identity == null ? new KeyManager[0] : new KeyManager[] {identity},
                    new TrustManager[] {byJvm ? trust : new KeyExchangeNames(trust)},
                    null);
            return new TlsSetup(context.getSocketFactory(), trust);
        } catch (GeneralSecurityException e) {
            throw refused("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /**
     * Sets a client up.
     *
     * @param handshake how long the peer may be silent in a handshake
     */
    public void apply(TlsConfig tls, Duration handshake, OkHttpClient.Builder client) {
        // TLS 1.3 and 1.2, and plain text where the server's address says so.
        ConnectionSpec modern = CipherOrder.of(ConnectionSpec.MODERN_TLS, List.of(factory.getDefaultCipherSuites()));
        client.connectionSpecs(List.of(modern, ConnectionSpec.CLEARTEXT));
        client.sslSocketFactory(new HandshakeSocketFactory(factory, tls.serverName(), handshake), trust);
        if (tls.insecure()) {
            client.hostnameVerifier((host, session) -> true);
        } else if (!tls.serverName().isEmpty()) {
            HostnameVerifier standard = new OkHttpClient().hostnameVerifier();
            client.hostnameVerifier((host, session) -> standard.verify(tls.serverName(), session));
        }
    }

    private static ClientIdentity identity(TlsConfig tls, TlsMaterial material) {
        try {
            return new ClientIdentity(material.certificate(), material.key());
        } catch (IllegalArgumentException e) {
            throw refused(
                    "client certificate " + from(tls.certFile()) + " with key " + from(tls.keyFile()) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static X509ExtendedTrustManager trustManager(TlsConfig tls, String authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            // A configured file that is empty trusts nobody; only a configuration without any file or data trusts
            // whom the JVM trusts.
            factory.init(tls.hasCa() ? keyStore(authorities) : null);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager x509) {
                    return x509;
                }
            }
            throw refused("this JVM has no X.509 trust manager", null);
        } catch (IllegalArgumentException e) {
            throw refused("certificate authority " + from(tls.caFile()) + ": " + e.getMessage(), e);
        } catch (GeneralSecurityException | IOException e) {
            throw refused("certificate authority " + from(tls.caFile()) + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore keyStore(String pem) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (X509Certificate certificate : Certificates.parse(pem)) {
            store.setCertificateEntry("ca-" + count++, certificate);
        }
        return store;
    }

    private static String from(String file) {
        return file.isEmpty() ? "data" : file;
    }

    private static TransportException refused(String message, @Nullable Throwable cause) {
        return new TransportException(Kind.CONFIGURATION, message, cause);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.json.encoding.TrustBundle;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS objects that OkHttp needs, made from a {@link TlsConfig} and its content. Host names are always verified,
 * except if every certificate is accepted. Immutable.
 *
 * @param factory makes sockets. Every setup has its own factory with its own session cache, so no connection
 *     resumes a session of other certificates
 * @param trust verifies the server
 */
public record TlsSetup(SSLSocketFactory factory, X509TrustManager trust) {

    private static final Logger LOG = LoggerFactory.getLogger(TlsSetup.class);

    /**
     * Rejects contradictions.
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
     * Makes the setup.
     *
     * @param provider the TLS implementation; null for the JVM's. The JVM's is also used for a client whose key the
     *     provider may not support
     * @throws TransportException of kind {@code CONFIGURATION} if certificates or keys cannot be used
     */
    public static TlsSetup of(TlsConfig tls, TlsMaterial material, @Nullable Provider provider) {
        X509ExtendedTrustManager trust =
                tls.insecure() ? new InsecureTrustManager() : trustManager(tls, material.authorities());
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
     * Applies the setup to a client.
     *
     * @param handshake the longest silence of the peer in a handshake
     */
    public void apply(TlsConfig tls, Duration handshake, OkHttpClient.Builder client) {
        // TLS 1.3 and 1.2; and plain text for addresses with http.
        ConnectionSpec modern = CipherOrder.of(ConnectionSpec.MODERN_TLS, List.of(factory.getDefaultCipherSuites()));
        client.connectionSpecs(List.of(modern, ConnectionSpec.CLEARTEXT));
        client.sslSocketFactory(new HandshakeSocketFactory(factory, tls.serverName(), handshake), trust);
        if (tls.insecure()) {
            client.hostnameVerifier((host, session) -> true);
        } else if (!tls.serverName().isEmpty()) {
            HostnameVerifier standard = client.build().hostnameVerifier();
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
            // A configured file that is empty trusts no server. Only a configuration without file and data uses the
            // trust of the JVM.
            if (tls.hasCa()) {
                TrustBundle bundle = TrustBundle.parse(authorities);
                if (bundle.unreadable() > 0) {
                    LOG.warn(
                            "certificate authority {}: skipping {} certificates that cannot be read",
                            from(tls.caFile()),
                            bundle.unreadable());
                }
                return bundle.trustManager();
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager x509) {
                    return x509;
                }
            }
            throw refused("this JVM has no X.509 trust manager", null);
        } catch (IllegalArgumentException e) {
            throw refused("certificate authority " + from(tls.caFile()) + ": " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw refused("the authorities of this JVM cannot be used: " + e.getMessage(), e);
        }
    }

    private static String from(String file) {
        return file.isEmpty() ? "data" : file;
    }

    private static TransportException refused(String message, @Nullable Throwable cause) {
        return new TransportException(Kind.CONFIGURATION, message, cause);
    }

    /**
     * Layers TLS over connected sockets: sets the name for SNI, and the timeout of the handshake. OkHttp would wait for
     * a handshake as long as for a response. Thread-safe.
     */
    private static final class HandshakeSocketFactory extends SSLSocketFactory {

        private final SSLSocketFactory delegate;
        private final String serverName;
        private final int silenceMillis;

        /**
         * Makes a factory.
         *
         * @param serverName the name for SNI, independent of the server's address; empty for the host of the address
         * @param silence the longest silence of the server; OkHttp sets the timeout of the socket again after the
         *     handshake
         */
        HandshakeSocketFactory(SSLSocketFactory delegate, String serverName, Duration silence) {
            this.delegate = delegate;
            this.serverName = serverName;
            this.silenceMillis = Math.toIntExact(silence.toMillis());
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            Socket secured =
                    delegate.createSocket(socket, KubeconfigDefaults.either(serverName, host), port, autoClose);
            secured.setSoTimeout(silenceMillis);
            return secured;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return delegate.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return delegate.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw onlyOverASocket();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw onlyOverASocket();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw onlyOverASocket();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            throw onlyOverASocket();
        }

        private static UnsupportedOperationException onlyOverASocket() {
            return new UnsupportedOperationException("TLS is only layered over a connected socket here");
        }
    }

    /** Accepts every certificate. Used only if the configuration sets {@link TlsConfig#insecure()}. Stateless. */
    private static final class InsecureTrustManager extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /**
     * Adapts the JVM's trust manager to other TLS providers. Immutable.
     *
     * <p>With TLS 1.3, the key exchange does not depend on the certificate any more. The JVM then names it {@code
     * UNKNOWN}; other providers name it {@code GENERIC}, which the JVM's trust manager rejects.
     */
    private static final class KeyExchangeNames extends X509ExtendedTrustManager {

        private static final Set<String> NEUTRAL = Set.of("GENERIC", "");

        private final X509ExtendedTrustManager judge;

        KeyExchangeNames(X509ExtendedTrustManager judge) {
            this.judge = judge;
        }

        private static @Nullable String known(@Nullable String authType) {
            return authType != null && NEUTRAL.contains(authType) ? "UNKNOWN" : authType;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            judge.checkServerTrusted(chain, known(authType));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            judge.checkServerTrusted(chain, known(authType), socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            judge.checkServerTrusted(chain, known(authType), engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            judge.checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            judge.checkClientTrusted(chain, authType, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            judge.checkClientTrusted(chain, authType, engine);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return judge.getAcceptedIssuers();
        }
    }
}

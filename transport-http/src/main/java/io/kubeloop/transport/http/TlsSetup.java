package io.kubeloop.transport.http;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a {@link TlsConfig} into what OkHttp needs. Host names are always verified, except where everything is trusted. */
final class TlsSetup {

    private static final Logger log = LoggerFactory.getLogger(TlsSetup.class);

    private TlsSetup() {}

    /**
     * Sets TLS up.
     *
     * @param identity the certificate to show, which this fills from the configuration if that has one
     * @throws TransportException of kind {@code CONFIGURATION} if something cannot be read or contradicts itself
     */
    static void apply(TlsConfig tls, String server, ClientIdentity identity, OkHttpClient.Builder client) {
        if (tls.insecure() && tls.hasCa()) {
            throw refused("a certificate authority and insecure-skip-tls-verify exclude each other", null);
        }
        if (tls.hasCertificate() != tls.hasKey()) {
            throw refused("a client certificate and a client key need each other", null);
        }
        if (tls.hasCertificate()) {
            loadIdentity(tls, identity);
        }
        X509TrustManager trust = trustManager(tls);
        client.sslSocketFactory(socketFactory(tls, trust, identity), trust);
        if (tls.insecure()) {
            log.warn("TLS certificates are not verified: anybody can pretend to be {}", server);
            client.hostnameVerifier((host, session) -> true);
        } else if (!tls.serverName().isEmpty()) {
            HostnameVerifier standard = client.build().hostnameVerifier();
            client.hostnameVerifier((host, session) -> standard.verify(tls.serverName(), session));
        }
    }

    private static void loadIdentity(TlsConfig tls, ClientIdentity identity) {
        String certificate = read("client certificate", tls.certData(), tls.certFile());
        String key = read("client key", tls.keyData(), tls.keyFile());
        try {
            identity.set(certificate, key);
        } catch (IllegalArgumentException e) {
            throw refused(
                    "client certificate " + from(tls.certFile()) + " with key " + from(tls.keyFile()) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static X509TrustManager trustManager(TlsConfig tls) {
        if (tls.insecure()) {
            return new TrustEverything();
        }
        String ca = tls.hasCa() ? read("certificate authority", tls.caData(), tls.caFile()) : null;
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(ca == null ? null : keyStore(ca));
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager x509) {
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

    private static SSLSocketFactory socketFactory(TlsConfig tls, X509TrustManager trust, ClientIdentity identity) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {identity}, new TrustManager[] {trust}, null);
            SSLSocketFactory factory = context.getSocketFactory();
            return tls.serverName().isEmpty() ? factory : new ServerNameSocketFactory(factory, tls.serverName());
        } catch (GeneralSecurityException e) {
            throw refused("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static String read(String what, String data, String file) {
        if (!data.isEmpty()) {
            return data;
        }
        try {
            return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw refused("cannot read " + what + " " + file + ": " + Failures.reason(e), e);
        }
    }

    private static String from(String file) {
        return file.isEmpty() ? "data" : file;
    }

    private static TransportException refused(String message, @Nullable Throwable cause) {
        return new TransportException(Kind.CONFIGURATION, message, cause);
    }
}

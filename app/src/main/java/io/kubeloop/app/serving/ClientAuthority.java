/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app.serving;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** The authorities of client certificates (upstream: {@code apiserver/pkg/authentication/request/x509}). Immutable. */
public final class ClientAuthority {

    private final X509TrustManager verifier;

    private ClientAuthority(X509TrustManager verifier) {
        this.verifier = verifier;
    }

    /**
     * Reads certificates in PEM.
     *
     * @throws IllegalArgumentException if there is none, or one cannot be read
     */
    public static ClientAuthority of(String pem) {
        try {
            Collection<? extends Certificate> roots = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
            if (roots.isEmpty()) {
                throw new IllegalArgumentException("contains no certificate");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (Certificate root : roots) {
                store.setCertificateEntry("authority-" + store.size(), root);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(store);
            return new ClientAuthority((X509TrustManager) managers.getTrustManagers()[0]);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the user that a chain names; null if no authority issued it, or it is not valid now, or it has no common
     * name.
     */
    @Nullable
    Caller user(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return null;
        }
        X509Certificate certificate = chain.get(0);
        try {
            verifier.checkClientTrusted(
                    chain.toArray(X509Certificate[]::new),
                    certificate.getPublicKey().getAlgorithm());
            List<Rdn> subject =
                    new LdapName(certificate.getSubjectX500Principal().getName(X500Principal.RFC2253)).getRdns();
            List<String> names = values(subject, "CN");
            return names.isEmpty()
                    ? null
                    : Caller.authenticated(names.get(names.size() - 1), "", values(subject, "O"), Map.of());
        } catch (CertificateException | InvalidNameException e) {
            return null;
        }
    }

    private static List<String> values(List<Rdn> subject, String type) {
        List<String> values = new ArrayList<>();
        for (Rdn part : subject) {
            if (part.getType().equalsIgnoreCase(type)) {
                values.add(part.getValue().toString());
            }
        }
        return values;
    }

    /**
     * Returns a trust manager that accepts each client in the handshake, so that {@link #user} decides what it may do.
     */
    public static TrustManager acceptingAll() {
        return new X509ExtendedTrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                throw new CertificateException("this server is not a client: " + Arrays.toString(chain));
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                    throws CertificateException {
                checkServerTrusted(chain, type);
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                    throws CertificateException {
                checkServerTrusted(chain, type);
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
    }
}

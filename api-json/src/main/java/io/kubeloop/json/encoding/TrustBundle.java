/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.encoding;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The authorities of a bundle in PEM, with the rules of Go's {@code crypto/x509}: a certificate that cannot be read is
 * skipped, and an authority that has expired, or is not valid yet, is trusted by no check. The JDK's trust manager
 * refuses the first bundle, and looks at no dates of authorities. Immutable and thread-safe.
 *
 * @param authorities the certificates that can be read; at least one
 * @param unreadable the number of certificates that cannot be read
 */
public record TrustBundle(List<X509Certificate> authorities, int unreadable) {

    /** Copies the list. */
    public TrustBundle {
        authorities = List.copyOf(authorities);
    }

    /**
     * Reads a bundle.
     *
     * @throws IllegalArgumentException if no certificate can be read; the message states the reason
     */
    public static TrustBundle parse(String pem) {
        List<X509Certificate> readable = new ArrayList<>();
        CertificateException problem = null;
        int unreadable = 0;
        List<Pem> blocks = Pem.blocks(pem);
        for (Pem block : blocks) {
            if (block.type().equals("CERTIFICATE") && block.headers().isEmpty()) {
                try {
                    readable.add((X509Certificate) CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(block.content())));
                } catch (CertificateException e) {
                    problem = problem == null ? e : problem;
                    unreadable++;
                }
            }
        }
        if (readable.isEmpty() && problem != null) {
            throw new IllegalArgumentException("a certificate cannot be read: " + problem.getMessage(), problem);
        }
        if (readable.isEmpty()) {
            Pem.requireBlocks(pem); // states what is wrong with a block
            throw new IllegalArgumentException("no PEM certificate"
                    + (blocks.isEmpty()
                            ? ""
                            : ", only " + blocks.stream().map(Pem::type).toList()));
        }
        return new TrustBundle(readable, unreadable);
    }

    /** Returns a trust manager that looks at the dates of the authorities at each check. */
    public X509ExtendedTrustManager trustManager() {
        return trustManager(Instant::now);
    }

    X509ExtendedTrustManager trustManager(Supplier<Instant> clock) {
        return new Dated(authorities, clock);
    }

    /** Asks the JDK's trust manager of those authorities that are valid now. */
    private static final class Dated extends X509ExtendedTrustManager {

        private final List<X509Certificate> authorities;
        private final Supplier<Instant> clock;

        // Threads race to replace it with an equal one.
        private volatile @Nullable Period last;

        /** The JDK's trust manager of the authorities that are valid in a period. */
        private record Period(List<X509Certificate> valid, X509ExtendedTrustManager judge) {}

        Dated(List<X509Certificate> authorities, Supplier<Instant> clock) {
            this.authorities = authorities;
            this.clock = clock;
        }

        private X509ExtendedTrustManager judge(X509Certificate[] chain) throws CertificateException {
            Instant now = clock.get();
            List<X509Certificate> valid = authorities.stream()
                    .filter(authority -> isValid(authority, now))
                    .toList();
            for (X509Certificate authority : authorities) {
                if (!valid.contains(authority) && isOnlyIssuer(authority, valid, chain)) {
                    throw new CertificateException(
                            "the certificate authority " + authority.getSubjectX500Principal() + " is valid from "
                                    + authority.getNotBefore().toInstant() + " to "
                                    + authority.getNotAfter().toInstant() + ", and not now, at " + now);
                }
            }
            if (valid.isEmpty()) {
                throw new CertificateException("no certificate authority of the bundle is valid at " + now);
            }
            Period period = last;
            if (period == null || !period.valid().equals(valid)) {
                period = new Period(valid, ofTheJdk(valid));
                last = period;
            }
            return period.judge();
        }

        private static boolean isValid(X509Certificate authority, Instant now) {
            return !now.isBefore(authority.getNotBefore().toInstant())
                    && !now.isAfter(authority.getNotAfter().toInstant());
        }

        /** Returns whether a chain ends at an authority, and at no valid one of its name, such as a renewed one. */
        private static boolean isOnlyIssuer(
                X509Certificate authority, List<X509Certificate> valid, X509Certificate... chain) {
            return Arrays.stream(chain)
                            .anyMatch(link -> link.getIssuerX500Principal().equals(authority.getSubjectX500Principal()))
                    && valid.stream()
                            .noneMatch(other ->
                                    other.getSubjectX500Principal().equals(authority.getSubjectX500Principal()));
        }

        private static X509ExtendedTrustManager ofTheJdk(List<X509Certificate> valid) throws CertificateException {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                for (X509Certificate authority : valid) {
                    store.setCertificateEntry("authority-" + store.size(), authority);
                }
                TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
                factory.init(store);
                return Stream.of(factory.getTrustManagers())
                        .filter(X509ExtendedTrustManager.class::isInstance)
                        .map(X509ExtendedTrustManager.class::cast)
                        .findFirst()
                        .orElseThrow(() -> new CertificateException("this JVM has no X.509 trust manager"));
            } catch (GeneralSecurityException | IOException e) {
                throw new CertificateException("the authorities cannot be used: " + e.getMessage(), e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            judge(chain).checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            judge(chain).checkClientTrusted(chain, authType, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            judge(chain).checkClientTrusted(chain, authType, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            judge(chain).checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            judge(chain).checkServerTrusted(chain, authType, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            judge(chain).checkServerTrusted(chain, authType, engine);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return authorities.toArray(X509Certificate[]::new);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.apiserver.rest.UserInfo;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities whose certificates authenticate clients (upstream: {@code
 * apiserver/pkg/authentication/request/x509}). The common name of a certificate is the name of the user, and its
 * organizations are the groups. Immutable.
 */
public final class ClientAuthorities {

    private static final Logger log = LoggerFactory.getLogger(ClientAuthorities.class);

    /**
     * The keywords of the two attributes that could be confused: the UID of a Kubernetes user, and that of a directory.
     */
    private static final Map<String, String> KEYWORDS =
            Map.of("1.3.6.1.4.1.57683.2", "UID", "0.9.2342.19200300.100.1.1", "USERID");

    private static final Pattern WEAK = Pattern.compile("^(MD2|MD5|SHA1)with");

    private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

    private final X509TrustManager verifier;

    private final String pem;

    private ClientAuthorities(X509TrustManager verifier, String pem) {
        this.verifier = verifier;
        this.pem = pem;
    }

    /** Returns the certificates of the authorities. */
    String pem() {
        return pem;
    }

    /**
     * Reads the certificates of the authorities.
     *
     * @param certificates one or more certificates in PEM
     * @throws IllegalArgumentException if there is none, or they cannot be read; the message names the reason
     */
    public static ClientAuthorities load(byte[] certificates) {
        return new ClientAuthorities(
                PemTls.trustAll(certificates), new String(certificates, StandardCharsets.US_ASCII));
    }

    /**
     * Returns the user of a client that has proved to own the key of a certificate; null if no authority issued it, it
     * is not for clients, it is not valid now, it has no common name, or it is signed with MD5 or SHA-1. Does not
     * block; a check costs about a millisecond.
     *
     * @param chain the certificate of the client, followed by its intermediate certificates; empty if it has none
     */
    public @Nullable UserInfo user(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return null;
        }
        X509Certificate certificate = chain.get(0);
        try {
            requireStrongSignatures(chain);
            verifier.checkClientTrusted(
                    chain.toArray(X509Certificate[]::new),
                    certificate.getPublicKey().getAlgorithm());
            List<Rdn> subject = subject(certificate);
            List<String> names = attributes(subject, "CN");
            List<String> uids = attributes(subject, "UID");
            if (names.isEmpty() || uids.size() > 1) {
                return null;
            }
            return new UserInfo(
                            names.get(names.size() - 1),
                            uids.isEmpty() ? "" : uids.get(0),
                            attributes(subject, "O"),
                            Map.of(CREDENTIAL_ID, List.of("X509SHA256=" + digest(certificate))))
                    .authenticated();
        } catch (GeneralSecurityException | NamingException e) {
            log.debug(
                    "Rejected a client certificate: subject={} error={}",
                    certificate.getSubjectX500Principal(),
                    e.toString());
            return null;
        }
    }

    /** As Go, trusts no signature with MD5 or SHA-1; that of an authority over itself is not checked. */
    private void requireStrongSignatures(List<X509Certificate> chain) throws CertificateException {
        List<X509Certificate> authorities = List.of(verifier.getAcceptedIssuers());
        for (X509Certificate certificate : chain) {
            if (WEAK.matcher(certificate.getSigAlgName()).find() && !authorities.contains(certificate)) {
                throw new CertificateException("insecure algorithm " + certificate.getSigAlgName());
            }
        }
    }

    private static String digest(X509Certificate certificate) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    }

    /** Returns the parts of the subject in the order of the certificate. */
    private static List<Rdn> subject(X509Certificate certificate) throws NamingException {
        return new LdapName(certificate.getSubjectX500Principal().getName(X500Principal.RFC2253, KEYWORDS)).getRdns();
    }

    private static List<String> attributes(List<Rdn> subject, String type) throws NamingException {
        List<String> values = new ArrayList<>();
        for (Rdn part : subject) {
            Attribute attribute = part.toAttributes().get(type);
            if (attribute != null) {
                Collections.list(attribute.getAll()).forEach(value -> values.add(String.valueOf(value)));
            }
        }
        return values;
    }

    /**
     * Returns a trust manager that lists the authorities to clients and accepts every certificate in the handshake. As
     * upstream, a client with another certificate receives a response, and {@link #user} decides which.
     */
    TrustManager requesting() {
        return PemTls.anyClient(verifier.getAcceptedIssuers());
    }

    /** Returns a trust manager that accepts every certificate of a client in the handshake, and names no authority. */
    public static TrustManager acceptingAny() {
        return PemTls.anyClient();
    }
}

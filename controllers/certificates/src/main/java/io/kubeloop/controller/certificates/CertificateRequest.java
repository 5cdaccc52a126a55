/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.controller.Errors;
import io.kubeloop.json.encoding.Pem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;

/**
 * A PKCS #10 request: the subject, its other names and its public key (upstream: {@code x509.CertificateRequest}).
 * Immutable.
 */
final class CertificateRequest {

    /** The kinds of alternative names that a certificate may get, in the order in which it contains them. */
    static final int DNS = GeneralName.dNSName;

    static final int EMAIL = GeneralName.rfc822Name;
    static final int IP = GeneralName.iPAddress;
    static final int URI = GeneralName.uniformResourceIdentifier;

    private static final int[] KINDS = {DNS, EMAIL, IP, URI};

    /** The JDK 17 does not find every factory of keys by its object identifier, as the library would need. */
    private static final Map<String, String> KEY_ALGORITHMS =
            Map.of("1.2.840.113549.1.1.1", "RSA", "1.2.840.10045.2.1", "EC", "1.3.101.112", "Ed25519");

    private final PKCS10CertificationRequest request;
    private final RequestedSubject subject;
    private final List<GeneralName> names;

    private CertificateRequest(PKCS10CertificationRequest request) {
        this.request = request;
        subject = RequestedSubject.of(request.getSubject());
        names = names(request.getRequestedExtensions());
    }

    /**
     * Reads the first PEM block of a text in Base64, the form that objects of the API contain.
     *
     * @throws IllegalArgumentException if it is not a request
     */
    static CertificateRequest parseBase64(String encoded) {
        return parse(decode(encoded));
    }

    static String decode(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads the first PEM block of a text.
     *
     * @throws IllegalArgumentException if it is not a request
     */
    static CertificateRequest parse(String pem) {
        List<Pem> blocks = Pem.blocks(pem);
        if (blocks.isEmpty() || !blocks.get(0).type().equals("CERTIFICATE REQUEST")) {
            throw new IllegalArgumentException("PEM block type must be CERTIFICATE REQUEST");
        }
        try {
            return new CertificateRequest(
                    new PKCS10CertificationRequest(blocks.get(0).content()));
        } catch (IOException | RuntimeException e) {
            // The library reports malformed elements by unchecked exceptions of several types.
            throw new IllegalArgumentException("malformed certificate request: " + Errors.text(e), e);
        }
    }

    private static List<GeneralName> names(Extensions extensions) {
        Extension extension = extensions == null ? null : extensions.getExtension(Extension.subjectAlternativeName);
        List<GeneralName> names = new ArrayList<>();
        if (extension != null) {
            GeneralName[] requested =
                    GeneralNames.getInstance(extension.getParsedValue()).getNames();
            for (int kind : KINDS) {
                for (GeneralName name : requested) {
                    if (name.getTagNo() == kind) {
                        names.add(kind == IP ? shortest(name) : name);
                    }
                }
            }
        }
        return names;
    }

    /** An IPv4 address may be requested in the form of IPv6; a certificate contains its four bytes. */
    private static GeneralName shortest(GeneralName address) {
        try {
            byte[] bytes = ASN1OctetString.getInstance(address.getName()).getOctets();
            return new GeneralName(
                    IP, new DEROctetString(InetAddress.getByAddress(bytes).getAddress()));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("cannot parse an IP address: " + e.getMessage(), e);
        }
    }

    /** Returns the organizations of the subject, in order. */
    List<String> organizations() {
        return subject.organizations();
    }

    /** Returns the last common name of the subject; empty if it has none. */
    String commonName() {
        return subject.commonName();
    }

    RequestedSubject subject() {
        return subject;
    }

    /** Returns whether there are alternative names of a kind. */
    boolean hasNames(int kind) {
        return names.stream().anyMatch(name -> name.getTagNo() == kind);
    }

    /** Returns the alternative names that a certificate may contain: DNS names, mail addresses, IP addresses, URIs. */
    List<GeneralName> names() {
        return names;
    }

    SubjectPublicKeyInfo publicKey() {
        return request.getSubjectPublicKeyInfo();
    }

    /** Returns whether the owner of the public key signed the request. */
    boolean isSigned() {
        try {
            SubjectPublicKeyInfo info = request.getSubjectPublicKeyInfo();
            String algorithm =
                    KEY_ALGORITHMS.get(info.getAlgorithm().getAlgorithm().getId());
            if (algorithm == null) {
                return false;
            }
            PublicKey key = KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(info.getEncoded()));
            return request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key));
        } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
            return false; // a key or an algorithm that the JDK does not know
        }
    }
}

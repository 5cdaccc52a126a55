/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.apiserver.rest.PemBlock;
import java.io.ByteArrayInputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The PEM documents of certificate signing requests: PKCS #10 requests and certificates (upstream: Go's {@code
 * crypto/x509}).
 */
public final class PemRequest {

    private static final int SEQUENCE = 0x30;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_ID = 0x06;
    private static final int INTEGER = 0x02;

    /** The algorithms of signatures, by the bytes of their object identifiers in hexadecimal form. */
    private static final Map<String, String> ALGORITHMS = Map.of(
            "2a864886f70d01010b", "SHA256withRSA",
            "2a864886f70d01010c", "SHA384withRSA",
            "2a864886f70d01010d", "SHA512withRSA",
            "2a8648ce3d040302", "SHA256withECDSA",
            "2a8648ce3d040303", "SHA384withECDSA",
            "2a8648ce3d040304", "SHA512withECDSA",
            "2b6570", "Ed25519");

    /** The object identifier 2.5.4.10. */
    private static final String ORGANIZATION = "55040a";

    private static final String MALFORMED = "asn1: structure error: malformed certificate request";

    private PemRequest() {}

    /** One element of DER. */
    private record Element(int tag, byte[] whole, ByteBuffer content) {

        static Element read(ByteBuffer in) {
            int start = in.position();
            int tag = in.get() & 0xff;
            int length = in.get() & 0xff;
            if (length > 0x7f) {
                int bytes = length & 0x7f;
                length = 0;
                for (int i = 0; i < bytes; i++) {
                    length = (length << 8) | (in.get() & 0xff);
                }
            }
            if (length < 0 || length > in.remaining()) {
                throw new IllegalArgumentException("an element is longer than its document");
            }
            ByteBuffer content = in.slice(in.position(), length);
            in.position(in.position() + length);
            byte[] whole = new byte[in.position() - start];
            in.get(start, whole);
            return new Element(tag, whole, content);
        }

        Element expect(int wanted) {
            if (tag != wanted) {
                throw new IllegalArgumentException("unexpected element " + tag);
            }
            return this;
        }

        byte[] bytes() {
            byte[] bytes = new byte[content.remaining()];
            content.get(content.position(), bytes);
            return bytes;
        }
    }

    /** Returns the error of a PEM certificate request; empty if the request is valid and its signature matches. */
    static String problem(byte[] pem) {
        List<PemBlock> blocks = blocks(pem);
        if (blocks.isEmpty() || !blocks.get(0).type().equals("CERTIFICATE REQUEST")) {
            return "PEM block type must be CERTIFICATE REQUEST";
        }
        try {
            Element request = request(blocks.get(0));
            Element info = Element.read(request.content()).expect(SEQUENCE);
            Element algorithm = Element.read(request.content()).expect(SEQUENCE);
            Element signature = Element.read(request.content()).expect(BIT_STRING);
            Element.read(info.content()).expect(INTEGER);
            Element.read(info.content()).expect(SEQUENCE); // the subject
            byte[] key = Element.read(info.content()).expect(SEQUENCE).whole();
            String id = hex(Element.read(algorithm.content()).expect(OBJECT_ID).bytes());
            byte[] bits = signature.bytes();
            return verify(info.whole(), key, id, ByteBuffer.wrap(bits, 1, bits.length - 1));
        } catch (RuntimeException e) {
            return MALFORMED;
        }
    }

    private static List<PemBlock> blocks(byte[] pem) {
        return PemBlock.all(new String(pem, StandardCharsets.ISO_8859_1));
    }

    private static Element request(PemBlock block) {
        return Element.read(ByteBuffer.wrap(block.content())).expect(SEQUENCE);
    }

    /**
     * Returns the organizations in the subject of a request.
     *
     * @throws IllegalArgumentException if it is not a PEM document of a request
     */
    public static List<String> organizations(byte[] pem) {
        List<PemBlock> blocks = blocks(pem);
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException(MALFORMED);
        }
        try {
            ByteBuffer info = Element.read(request(blocks.get(0)).content())
                    .expect(SEQUENCE)
                    .content();
            Element.read(info).expect(INTEGER);
            ByteBuffer names = Element.read(info).expect(SEQUENCE).content();
            List<String> organizations = new ArrayList<>();
            while (names.hasRemaining()) {
                ByteBuffer set = Element.read(names).content();
                while (set.hasRemaining()) {
                    ByteBuffer attribute = Element.read(set).expect(SEQUENCE).content();
                    String id = hex(Element.read(attribute).expect(OBJECT_ID).bytes());
                    byte[] value = Element.read(attribute).bytes();
                    if (id.equals(ORGANIZATION)) {
                        organizations.add(new String(value, StandardCharsets.UTF_8));
                    }
                }
            }
            return organizations;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(MALFORMED, e);
        }
    }

    private static String verify(byte[] content, byte[] key, String id, ByteBuffer signature) {
        String algorithm = ALGORITHMS.get(id);
        if (algorithm == null) {
            return "x509: cannot verify signature: algorithm unimplemented";
        }
        String keys = algorithm.endsWith("RSA") ? "RSA" : algorithm.endsWith("ECDSA") ? "EC" : "Ed25519";
        String failure = algorithm.endsWith("withRSA")
                ? "crypto/rsa: verification error"
                : "x509: " + (keys.equals("EC") ? "ECDSA" : keys) + " verification failure";
        try {
            PublicKey publicKey = KeyFactory.getInstance(keys).generatePublic(new X509EncodedKeySpec(key));
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(content);
            byte[] bytes = new byte[signature.remaining()];
            signature.get(bytes);
            return verifier.verify(bytes) ? "" : failure;
        } catch (GeneralSecurityException e) {
            return failure;
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        return text.toString();
    }

    /** Returns the error of a PEM document of certificates; empty if the document is valid or empty. */
    static String problemOfCertificate(byte[] pem) {
        if (pem.length == 0) {
            return "";
        }
        List<PemBlock> found = blocks(pem);
        if (found.isEmpty()) {
            return "must contain at least one CERTIFICATE PEM block";
        }
        for (PemBlock block : found) {
            if (!block.type().equals("CERTIFICATE")) {
                return "only CERTIFICATE PEM blocks are allowed, found \"" + block.type() + "\"";
            }
            if (block.hasHeaders()) {
                return "no PEM block headers are permitted";
            }
            try {
                var unused = CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(block.content()));
            } catch (CertificateException e) {
                return "x509: malformed certificate";
            }
        }
        return "";
    }
}

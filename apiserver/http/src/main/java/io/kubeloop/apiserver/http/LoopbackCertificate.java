/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.runtime.encoding.Der;
import io.kubeloop.runtime.encoding.Pem;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * A certificate for {@code localhost} and {@code 127.0.0.1} with a new key, and the new authority that has issued it.
 * Some clients reject an authority that serves itself. The JDK has no API that makes certificates, so this class writes
 * their DER form (RFC 5280). Immutable; thread-safe.
 *
 * @param pem the certificate of the authority, which clients trust
 * @param serving serves with the certificate
 */
public record LoopbackCertificate(String pem, ServingCertificate serving) {

    private static final byte[] ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
    private static final byte[] AUTHORITY = name("kubeloop-ca");
    private static final byte[] SERVER = name("kubeloop");

    /** The bits of keyUsage: the key signs certificates. */
    private static final byte[] SIGNS_CERTIFICATES = {0x03, 0x02, 0x02, 0x04};

    /**
     * Makes a certificate that is valid from a day before this time for a year.
     *
     * @param clients the authorities of client certificates; null if the server does not request any
     */
    public static LoopbackCertificate create(Instant now, @Nullable ClientAuthorities clients) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair issuer = generator.generateKeyPair();
            KeyPair keys = generator.generateKeyPair();
            String authority =
                    Pem.write("CERTIFICATE", certificate(AUTHORITY, issuer, issuer.getPrivate(), authority(), now));
            String server = Pem.write("CERTIFICATE", certificate(SERVER, keys, issuer.getPrivate(), server(), now));
            String key = Pem.write("PRIVATE KEY", keys.getPrivate().getEncoded());
            return new LoopbackCertificate(
                    authority, ServingCertificate.load(server.getBytes(StandardCharsets.US_ASCII), key, clients));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot sign with ECDSA", e);
        }
    }

    private static byte[] name(String commonName) {
        byte[] text = Der.write(0x0c, commonName.getBytes(StandardCharsets.US_ASCII));
        return sequence(Der.write(Der.SET, sequence(oid(0x55, 0x04, 0x03), text)));
    }

    private static byte[] certificate(byte[] subject, KeyPair keys, PrivateKey issuer, byte[] extensions, Instant now)
            throws GeneralSecurityException {
        byte[] signed = sequence(
                Der.write(Der.CONTEXT_0, integer(BigInteger.TWO)), // version 3
                integer(BigInteger.valueOf(now.toEpochMilli())),
                ECDSA_WITH_SHA256,
                AUTHORITY,
                sequence(time(now.minus(Duration.ofDays(1))), time(now.plus(Duration.ofDays(365)))),
                subject,
                keys.getPublic().getEncoded(),
                Der.write(0xa3, extensions));
        return sequence(signed, ECDSA_WITH_SHA256, bits(sign(issuer, signed)));
    }

    private static byte[] sign(PrivateKey key, byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(content);
        return signature.sign();
    }

    /** The critical extensions basicConstraints and keyUsage of an authority. */
    private static byte[] authority() {
        byte[] yes = Der.write(0x01, new byte[] {(byte) 0xff});
        return sequence(
                sequence(oid(0x55, 0x1d, 0x13), yes, Der.write(Der.OCTET_STRING, sequence(yes))),
                sequence(oid(0x55, 0x1d, 0x0f), yes, Der.write(Der.OCTET_STRING, SIGNS_CERTIFICATES)));
    }

    /** The extensions basicConstraints (no authority), extendedKeyUsage (a server) and subjectAltName. */
    private static byte[] server() {
        byte[] yes = Der.write(0x01, new byte[] {(byte) 0xff});
        byte[] serves = sequence(oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01));
        return sequence(
                sequence(oid(0x55, 0x1d, 0x13), yes, Der.write(Der.OCTET_STRING, sequence())),
                sequence(oid(0x55, 0x1d, 0x25), Der.write(Der.OCTET_STRING, serves)),
                alternativeNames());
    }

    private static byte[] alternativeNames() {
        byte[] names = sequence(
                Der.write(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
                Der.write(0x87, new byte[] {127, 0, 0, 1}));
        return sequence(oid(0x55, 0x1d, 0x11), Der.write(Der.OCTET_STRING, names));
    }

    private static byte[] time(Instant instant) {
        String text = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .format(instant);
        // RFC 5280, 4.1.2.5: two digits for the years before 2050
        return instant.atZone(ZoneOffset.UTC).getYear() < 2050
                ? Der.write(0x17, text.substring(2).getBytes(StandardCharsets.US_ASCII))
                : Der.write(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] oid(int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        return Der.write(Der.OBJECT_ID, content);
    }

    private static byte[] integer(BigInteger value) {
        return Der.write(Der.INTEGER, value.toByteArray());
    }

    private static byte[] bits(byte[] content) {
        return Der.write(Der.BIT_STRING, new byte[1], content);
    }

    private static byte[] sequence(byte[]... parts) {
        return Der.write(Der.SEQUENCE, parts);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import io.kubeloop.json.encoding.Der;
import io.kubeloop.json.encoding.Pem;
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

/**
 * A new certificate authority, for the certificates of this process. The JDK has no API that makes certificates, so
 * this class writes their DER form (RFC 5280). Its certificates are valid from a day before its creation for a year.
 * Immutable; thread-safe.
 */
public final class NewAuthority {

    private static final byte[] ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
    private static final byte[] FOR_SERVERS = oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01);
    private static final byte[] FOR_CLIENTS = oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02);

    /** The bits of keyUsage: the key signs certificates. */
    private static final byte[] SIGNS_CERTIFICATES = {0x03, 0x02, 0x02, 0x04};

    private final byte[] name;
    private final Instant now;
    private final KeyPair keys;
    private final String pem;

    /**
     * A certificate and its private key, both in PEM.
     *
     * @param key the key as PKCS#8
     */
    public record Issued(String certificate, String key) {

        /** Does not contain the key. */
        @Override
        public String toString() {
            return "Issued[" + certificate + "]";
        }
    }

    /** Makes an authority with a new key. */
    public NewAuthority(String commonName, Instant now) {
        this.name = name(commonName);
        this.now = now;
        keys = newKeys();
        pem = Pem.write("CERTIFICATE", certificate(name, keys, authority(), 0));
    }

    /** Returns the certificate of the authority in PEM. */
    public String pem() {
        return pem;
    }

    /**
     * Issues a certificate of a server at {@code 127.0.0.1}.
     *
     * @param host the name of the server beside its address, such as {@code localhost}
     */
    public Issued issueForServer(String commonName, String host) {
        return issue(commonName, sequence(notAnAuthority(), usage(FOR_SERVERS), alternativeNames(host)));
    }

    /** Issues a certificate of a client. */
    public Issued issueForClient(String commonName) {
        return issue(commonName, sequence(notAnAuthority(), usage(FOR_CLIENTS)));
    }

    private Issued issue(String commonName, byte[] extensions) {
        KeyPair own = newKeys();
        return new Issued(
                Pem.write("CERTIFICATE", certificate(name(commonName), own, extensions, 1)),
                Pem.write("PRIVATE KEY", own.getPrivate().getEncoded()));
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no keys for ECDSA", e);
        }
    }

    private static byte[] name(String commonName) {
        byte[] text = Der.write(0x0c, commonName.getBytes(StandardCharsets.US_ASCII));
        return sequence(Der.write(Der.SET, sequence(oid(0x55, 0x04, 0x03), text)));
    }

    private byte[] certificate(byte[] subject, KeyPair own, byte[] extensions, int number) {
        byte[] signed = sequence(
                Der.write(Der.CONTEXT_0, integer(BigInteger.TWO)), // version 3
                integer(BigInteger.valueOf(now.toEpochMilli() + number)),
                ECDSA_WITH_SHA256,
                name,
                sequence(time(now.minus(Duration.ofDays(1))), time(now.plus(Duration.ofDays(365)))),
                subject,
                own.getPublic().getEncoded(),
                Der.write(0xa3, extensions));
        return sequence(signed, ECDSA_WITH_SHA256, bits(sign(keys.getPrivate(), signed)));
    }

    private static byte[] sign(PrivateKey key, byte[] content) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(content);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot sign with ECDSA", e);
        }
    }

    /** The critical extensions basicConstraints and keyUsage of an authority. */
    private static byte[] authority() {
        byte[] yes = Der.write(0x01, new byte[] {(byte) 0xff});
        return sequence(
                sequence(oid(0x55, 0x1d, 0x13), yes, Der.write(Der.OCTET_STRING, sequence(yes))),
                sequence(oid(0x55, 0x1d, 0x0f), yes, Der.write(Der.OCTET_STRING, SIGNS_CERTIFICATES)));
    }

    /** The critical extension basicConstraints of a certificate that issues none. */
    private static byte[] notAnAuthority() {
        byte[] yes = Der.write(0x01, new byte[] {(byte) 0xff});
        return sequence(oid(0x55, 0x1d, 0x13), yes, Der.write(Der.OCTET_STRING, sequence()));
    }

    private static byte[] usage(byte[] purpose) {
        return sequence(oid(0x55, 0x1d, 0x25), Der.write(Der.OCTET_STRING, sequence(purpose)));
    }

    private static byte[] alternativeNames(String host) {
        byte[] names = sequence(
                Der.write(0x82, host.getBytes(StandardCharsets.US_ASCII)), Der.write(0x87, new byte[] {127, 0, 0, 1}));
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

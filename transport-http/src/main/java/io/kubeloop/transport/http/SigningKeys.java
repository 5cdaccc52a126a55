/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.json.encoding.Pem;
import io.kubeloop.transport.http.tls.KeyPairs;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads keys that sign tokens, in the formats of the private keys of client certificates, and public keys. Stateless.
 */
public final class SigningKeys {

    private SigningKeys() {}

    /**
     * Returns the first private key of a PEM text with its public key. The formats are PKCS#8, PKCS#1 and SEC 1.
     *
     * @throws IllegalArgumentException if the text contains no key, or one that is encrypted or neither RSA nor EC
     */
    public static KeyPair parse(String pem) {
        return KeyPairs.parse(pem);
    }

    /**
     * Returns the public keys of a PEM text, in its order. Certificates and private keys in the text count with their
     * public keys.
     *
     * @throws IllegalArgumentException if the text contains no key, or one that is neither RSA nor EC
     */
    public static List<PublicKey> publicKeys(String pem) {
        return PublicKeys.parse(pem);
    }

    /**
     * Reads public keys from PEM: of the blocks {@code PUBLIC KEY}, {@code CERTIFICATE} and of private keys. Stateless.
     */
    private static final class PublicKeys {

        private PublicKeys() {}

        /**
         * Returns the keys in order, RSA and EC.
         *
         * @throws IllegalArgumentException if the text has no key, or one of another kind
         */
        static List<PublicKey> parse(String pem) {
            List<PublicKey> keys = new ArrayList<>();
            boolean hasPrivateKey = false;
            for (Pem block : Pem.requireBlocks(pem)) {
                switch (block.type()) {
                    case "PUBLIC KEY" -> keys.add(publicKey(block.content()));
                    case "CERTIFICATE" -> keys.add(ofCertificate(block.content()));
                    default -> hasPrivateKey |= block.type().endsWith("PRIVATE KEY");
                }
            }
            if (hasPrivateKey) {
                keys.add(KeyPairs.parse(pem).getPublic());
            }
            if (keys.isEmpty()) {
                throw new IllegalArgumentException("no PEM key");
            }
            return keys;
        }

        private static PublicKey publicKey(byte[] der) {
            for (String algorithm : List.of("RSA", "EC")) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(der));
                } catch (InvalidKeySpecException e) {
                    // a key of the other algorithm
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException("the JDK lacks " + algorithm, e);
                }
            }
            throw new IllegalArgumentException("the public key is neither RSA nor EC");
        }

        private static PublicKey ofCertificate(byte[] der) {
            PublicKey key;
            try {
                key = CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(der))
                        .getPublicKey();
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException("the certificate is malformed: " + e.getMessage(), e);
            }
            if (!(key instanceof RSAPublicKey) && !(key instanceof ECPublicKey)) {
                throw new IllegalArgumentException("the public key of the certificate is neither RSA nor EC");
            }
            return key;
        }
    }
}

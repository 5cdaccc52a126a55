/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.Base64;

/**
 * Signs the tokens of token secrets: JSON Web Tokens that never expire (upstream: {@code
 * serviceaccount.JWTTokenGenerator} with {@code LegacyClaims}). Thread-safe, because it is immutable.
 */
final class LegacyTokenSigner {

    private static final String ISSUER = "kubernetes/serviceaccount";
    private static final String CLAIMS = "kubernetes.io/serviceaccount/";

    private final PrivateKey key;
    private final Algorithm algorithm;
    private final String header;

    /** The names of an algorithm, in the token and in Java. */
    private record Algorithm(String name, String javaName) {

        static Algorithm of(PrivateKey key) {
            if (key instanceof RSAPrivateKey) {
                return new Algorithm("RS256", "SHA256withRSA");
            }
            if (key instanceof ECPrivateKey elliptic) {
                int bits = elliptic.getParams().getCurve().getField().getFieldSize();
                return switch (bits) {
                    case 256 -> new Algorithm("ES256", "SHA256withECDSAinP1363Format");
                    case 384 -> new Algorithm("ES384", "SHA384withECDSAinP1363Format");
                    case 521 -> new Algorithm("ES512", "SHA512withECDSAinP1363Format");
                    default ->
                        throw new IllegalArgumentException(
                                "the curve of the key must have 256, 384 or 521 bits, not " + bits);
                };
            }
            throw new IllegalArgumentException("the key must be RSA or ECDSA, not " + key.getAlgorithm());
        }
    }

    /**
     * Creates a signer.
     *
     * @param keys RSA, or ECDSA on a curve of 256, 384 or 521 bits
     * @throws IllegalArgumentException if the key is of another kind
     */
    LegacyTokenSigner(KeyPair keys) {
        key = keys.getPrivate();
        algorithm = Algorithm.of(key);
        header = JsonObject.EMPTY
                .with("alg", algorithm.name())
                .with("kid", keyId(keys.getPublic()))
                .toString();
    }

    /** Returns the identifier by which a server finds the key: the digest of its usual encoding. */
    static String keyId(PublicKey key) {
        try {
            return encode(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks SHA-256", e);
        }
    }

    /** Returns the token of a secret that belongs to an account. */
    String sign(String namespace, String secret, String account, String accountUid) {
        JsonObject claims = JsonObject.EMPTY
                .with("iss", ISSUER)
                .with(CLAIMS + "namespace", namespace)
                .with(CLAIMS + "secret.name", secret)
                .with(CLAIMS + "service-account.name", account)
                .with(CLAIMS + "service-account.uid", accountUid)
                .with("sub", "system:serviceaccount:" + namespace + ":" + account);
        String signed = encode(header.getBytes(StandardCharsets.UTF_8)) + "."
                + encode(claims.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance(algorithm.javaName());
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "Cannot sign the token of secret " + namespace + "/" + secret + ": " + e.getMessage(), e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

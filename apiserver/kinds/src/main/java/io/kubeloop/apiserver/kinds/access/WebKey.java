/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.json.tree.JsonObject;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;

/**
 * A public key that verifies tokens (upstream: {@code jose.JSONWebKey}).
 *
 * @param key RSA, or ECDSA on a curve of 256, 384 or 521 bits
 * @param id the digest of its usual encoding, by which a token names it
 * @param algorithm the algorithm of its signatures, such as {@code RS256}
 * @param signatureName the name of the algorithm in Java
 */
record WebKey(PublicKey key, String id, String algorithm, String signatureName) {

    /**
     * Returns the form of a key.
     *
     * @throws IllegalArgumentException if it is of another kind
     */
    static WebKey of(PublicKey key) {
        String id;
        try {
            id = encode(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks SHA-256", e);
        }
        if (key instanceof RSAPublicKey) {
            return new WebKey(key, id, "RS256", "SHA256withRSA");
        }
        if (key instanceof ECPublicKey elliptic) {
            int bits = bits(elliptic);
            if (bits != 256 && bits != 384 && bits != 521) {
                throw new IllegalArgumentException("the curve of the key must have 256, 384 or 521 bits, not " + bits);
            }
            int digest = bits == 521 ? 512 : bits;
            return new WebKey(key, id, "ES" + digest, "SHA" + digest + "withECDSAinP1363Format");
        }
        throw new IllegalArgumentException("the key must be RSA or ECDSA, not " + key.getAlgorithm());
    }

    private static int bits(ECPublicKey key) {
        return key.getParams().getCurve().getField().getFieldSize();
    }

    /** Returns whether the owner of the key has made a signature. */
    boolean verifies(byte[] signed, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance(signatureName);
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // a signature of another form
        }
    }

    /** Returns the JSON Web Key. */
    JsonObject document() {
        JsonObject common = JsonObject.EMPTY.with("use", "sig");
        if (key instanceof RSAPublicKey rsa) {
            return common.with("kty", "RSA")
                    .with("kid", id)
                    .with("alg", algorithm)
                    .with("n", encode(unsigned(rsa.getModulus(), 1)))
                    .with("e", encode(unsigned(rsa.getPublicExponent(), 1)));
        }
        ECPublicKey elliptic = (ECPublicKey) key;
        int length = (bits(elliptic) + 7) / 8;
        return common.with("kty", "EC")
                .with("kid", id)
                .with("crv", "P-" + bits(elliptic))
                .with("alg", algorithm)
                .with("x", encode(unsigned(elliptic.getW().getAffineX(), length)))
                .with("y", encode(unsigned(elliptic.getW().getAffineY(), length)));
    }

    /** Returns the bytes of a number without a sign, with zeros in front up to a length. */
    private static byte[] unsigned(BigInteger number, int length) {
        byte[] signed = number.toByteArray();
        byte[] bytes = signed[0] == 0 ? Arrays.copyOfRange(signed, 1, signed.length) : signed;
        if (bytes.length >= length) {
            return bytes;
        }
        byte[] padded = new byte[length];
        System.arraycopy(bytes, 0, padded, length - bytes.length, bytes.length);
        return padded;
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

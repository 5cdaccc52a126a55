/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;

/** Completes private keys by their public keys. Stateless. */
public final class KeyPairs {

    private KeyPairs() {}

    /**
     * Returns the first key of a PEM text, RSA or EC.
     *
     * @throws IllegalArgumentException if the text has no such key
     */
    public static KeyPair parse(String pem) {
        PrivateKey key = PrivateKeys.parse(pem);
        try {
            if (key instanceof RSAPrivateCrtKey rsa) {
                RSAPublicKeySpec spec = new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent());
                return new KeyPair(KeyFactory.getInstance("RSA").generatePublic(spec), key);
            }
            if (key instanceof ECPrivateKey elliptic) {
                ECParameterSpec curve = elliptic.getParams();
                ECPoint point = times(curve, elliptic.getS());
                return new KeyPair(KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve)), key);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the private key has no usable public key: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("the private key is neither RSA nor EC");
    }

    /**
     * Returns the generator of the curve, added to itself {@code scalar - 1} times. Used once per process with a key
     * that this process owns, so it need not run in constant time.
     */
    private static ECPoint times(ECParameterSpec curve, BigInteger scalar) {
        ECPoint sum = ECPoint.POINT_INFINITY;
        for (int bit = scalar.bitLength() - 1; bit >= 0; bit--) {
            sum = plus(curve, sum, sum);
            if (scalar.testBit(bit)) {
                sum = plus(curve, sum, curve.getGenerator());
            }
        }
        return sum;
    }

    private static ECPoint plus(ECParameterSpec curve, ECPoint a, ECPoint b) {
        if (a.equals(ECPoint.POINT_INFINITY)) {
            return b;
        }
        if (b.equals(ECPoint.POINT_INFINITY)) {
            return a;
        }
        BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger rise;
        BigInteger run;
        if (a.equals(b)) {
            rise = a.getAffineX()
                    .pow(2)
                    .multiply(BigInteger.valueOf(3))
                    .add(curve.getCurve().getA());
            run = a.getAffineY().shiftLeft(1);
        } else {
            rise = b.getAffineY().subtract(a.getAffineY());
            run = b.getAffineX().subtract(a.getAffineX());
        }
        if (run.mod(p).signum() == 0) {
            return ECPoint.POINT_INFINITY;
        }
        BigInteger slope = rise.multiply(run.modInverse(p)).mod(p);
        BigInteger x =
                slope.pow(2).subtract(a.getAffineX()).subtract(b.getAffineX()).mod(p);
        BigInteger y = slope.multiply(a.getAffineX().subtract(x))
                .subtract(a.getAffineY())
                .mod(p);
        return new ECPoint(x, y);
    }
}

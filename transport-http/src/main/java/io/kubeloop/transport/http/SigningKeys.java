/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.tls.KeyPairs;
import io.kubeloop.transport.http.tls.PublicKeys;
import java.security.KeyPair;
import java.security.PublicKey;
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
     * Returns the public keys of a PEM text, in order: those of its public keys, certificates and private keys.
     *
     * @throws IllegalArgumentException if the text contains no key, or one that is neither RSA nor EC
     */
    public static List<PublicKey> publicKeys(String pem) {
        return PublicKeys.parse(pem);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The certificate and key of the client, used whatever authorities the server names. Immutable. */
final class ClientIdentity extends X509ExtendedKeyManager {

    private static final String ALIAS = "client";
    private static final byte[] PROBE = {1, 2, 3, 4};

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    /**
     * Makes an identity.
     *
     * @throws IllegalArgumentException if chain or key cannot be read, or do not belong together
     */
    ClientIdentity(String certificatePem, String keyPem) {
        this.chain = Certificates.parse(certificatePem);
        this.key = PrivateKeys.parse(keyPem);
        requirePair(chain.get(0).getPublicKey(), key);
    }

    /** Signs and verifies a probe. Two files that are replaced one after the other do not match for a moment. */
    private static void requirePair(PublicKey publicKey, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        boolean pair;
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(PROBE);
            pair = signature.verify(signed);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key does not belong to the certificate: " + e.getMessage(), e);
        }
        if (!pair) {
            throw new IllegalArgumentException("the key does not belong to the certificate");
        }
    }

    /** Returns whether every TLS provider supports this kind of key. BoringSSL does not support Ed25519. */
    boolean isWidelyKnown() {
        return key.getAlgorithm().equals("RSA") || key.getAlgorithm().equals("EC");
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return Arrays.asList(keyTypes).contains(key.getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return chooseClientAlias(keyTypes, issuers, null);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = chooseClientAlias(new String[] {keyType}, issuers, null);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}

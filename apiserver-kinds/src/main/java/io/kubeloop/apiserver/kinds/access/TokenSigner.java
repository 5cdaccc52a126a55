package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Signs claims as JSON Web Tokens and verifies the signatures. The key is made at the first use and lives as long as this
 * object.
 *
 * <p>Thread-safe. The lock of this object is held while the key is made, once.
 */
final class TokenSigner {

    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";

    // Guarded by this.
    private @Nullable KeyPair keys;

    private synchronized KeyPair keys() {
        KeyPair made = keys;
        if (made == null) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"));
                made = generator.generateKeyPair();
                keys = made;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("cannot make the key of service account tokens", e);
            }
        }
        return made;
    }

    /** Returns a token with these claims. */
    String sign(JsonObject claims) {
        JsonObject header = JsonObject.EMPTY.with("alg", "ES256").with("typ", "JWT");
        String signed = encode(header.toBytes()) + "." + encode(claims.toBytes());
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(keys().getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign a service account token", e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the claims of a token that this object has signed; null for any other text. */
    @Nullable
    JsonObject verified(String token) {
        int last = token.lastIndexOf('.');
        int first = token.indexOf('.');
        if (first < 0 || first == last) {
            return null;
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(keys().getPublic());
            signature.update(token.substring(0, last).getBytes(StandardCharsets.US_ASCII));
            return signature.verify(Base64.getUrlDecoder().decode(token.substring(last + 1)))
                    ? JsonObject.parse(Base64.getUrlDecoder().decode(token.substring(first + 1, last)))
                    : null;
        } catch (GeneralSecurityException | IllegalArgumentException | DecodeException e) {
            return null; // whatever is wrong with a token, it is not valid
        }
    }
}

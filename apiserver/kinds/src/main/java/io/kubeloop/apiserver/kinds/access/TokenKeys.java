/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Signs claims as JSON Web Tokens and verifies the signatures (upstream: {@code serviceaccount.JWTTokenGenerator} and
 * {@code jwtTokenAuthenticator}). Without a given key, one is made at the first use and lives as long as this object.
 *
 * <p>Thread-safe. The lock of this object is held while the key is made, once.
 */
public final class TokenKeys {

    private final @Nullable KeyPair given;
    private final List<PublicKey> others;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Keys keys;

    /** The key that signs, its algorithm, and all that verify. */
    private record Keys(PrivateKey signing, WebKey own, List<WebKey> all) {}

    /**
     * Creates the keys of a server.
     *
     * @param given signs; null for a new key
     * @param others verify too
     * @throws IllegalArgumentException if a key is neither RSA nor ECDSA on a curve of 256, 384 or 521 bits
     */
    public TokenKeys(@Nullable KeyPair given, List<PublicKey> others) {
        this.given = given;
        this.others = List.copyOf(others);
        this.others.forEach(WebKey::of);
        if (given != null) {
            WebKey.of(given.getPublic());
        }
    }

    private Keys keys() {
        lock.lock();
        try {
            Keys made = keys;
            if (made == null) {
                KeyPair pair = given == null ? generated() : given;
                WebKey own = WebKey.of(pair.getPublic());
                List<WebKey> all = new ArrayList<>(List.of(own));
                others.stream()
                        .map(WebKey::of)
                        .filter(key ->
                                all.stream().noneMatch(known -> known.id().equals(key.id())))
                        .forEach(all::add);
                made = new Keys(pair.getPrivate(), own, List.copyOf(all));
                keys = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    private static KeyPair generated() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot make the key of service account tokens", e);
        }
    }

    /** Returns a token with these claims. */
    String sign(JsonObject claims) {
        Keys signing = keys();
        JsonObject header = JsonObject.EMPTY
                .with("alg", signing.own().algorithm())
                .with("kid", signing.own().id());
        String signed = encode(header.toBytes()) + "." + encode(claims.toBytes());
        try {
            Signature signature = Signature.getInstance(signing.own().signatureName());
            signature.initSign(signing.signing());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign a service account token", e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the claims of a token that one of the keys has signed; null for any other text. */
    @Nullable
    JsonObject verified(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            JsonObject header = decoded(parts[0]);
            byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
            byte[] signature = Base64.getUrlDecoder().decode(parts[2]);
            String id = header.string("kid");
            boolean isSigned = keys().all().stream()
                    .filter(key -> id.isEmpty() || key.id().equals(id))
                    .filter(key -> key.algorithm().equals(header.string("alg")))
                    .anyMatch(key -> key.verifies(signed, signature));
            return isSigned ? decoded(parts[1]) : null;
        } catch (IllegalArgumentException | DecodeException e) {
            return null; // whatever is wrong with a token, it is not valid
        }
    }

    private static JsonObject decoded(String part) {
        return JsonObject.parse(Base64.getUrlDecoder().decode(part));
    }

    /** Returns the names of the algorithms of all keys, sorted. */
    List<String> algorithms() {
        return keys().all().stream().map(WebKey::algorithm).distinct().sorted().toList();
    }

    /** Returns the public keys as a JSON Web Key Set. */
    JsonObject keySet() {
        return JsonObject.of(
                "keys", JsonArray.of(keys().all().stream().map(WebKey::document).toList()));
    }
}

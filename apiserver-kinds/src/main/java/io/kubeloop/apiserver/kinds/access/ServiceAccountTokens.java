package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.Query;
import io.kubeloop.apiserver.registry.RequestInfo;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Issues and verifies the tokens of service accounts: JSON Web Tokens with a signature of this server (upstream: {@code
 * pkg/serviceaccount}). The key is made at the first use and lives as long as the server.
 *
 * <p>Thread-safe. The lock of this object is held while the key is made, once.
 */
public final class ServiceAccountTokens {

    private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";
    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
    private static final long MIN_SECONDS = 600;
    private static final long MAX_SECONDS = 1L << 32;
    private static final String PREFIX = "system:serviceaccount:";

    private final ApiBackend backend;

    // Guarded by this.
    private @Nullable KeyPair keys;

    /** Creates the tokens of a server's service accounts. */
    public ServiceAccountTokens(ApiBackend backend) {
        this.backend = backend;
    }

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

    /** Issues a token for a service account: the subresource {@code serviceaccounts/token}. */
    public ServerResponse issue(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        JsonObject body = IncomingObject.read(
                "authentication.k8s.io/v1",
                "TokenRequest",
                ApiHandler.json(request),
                query.writeOptions("CreateOptions"));
        String key = store.key(info.namespace(), info.name());
        StoredObject account = store.require(backend.storage().snapshot().get(store.bucket(), key), info.name());
        JsonObject spec = body.object("spec");
        Long requested = spec.number("expirationSeconds");
        long seconds = requested == null ? 3600 : requested;
        check(info.name(), seconds);
        List<String> asked = spec.array("audiences").strings().toList();
        JsonArray audiences = JsonArray.ofStrings(asked.isEmpty() ? List.of(AUDIENCE) : asked);
        Instant now = backend.now().instant();
        Instant end = now.plusSeconds(seconds);
        JsonObject bound = JsonObject.EMPTY
                .with("namespace", info.namespace())
                .with(
                        "serviceaccount",
                        JsonObject.EMPTY.with("name", info.name()).with("uid", Meta.uid(account.tree())));
        JsonObject claims = JsonObject.of("aud", audiences)
                .with("exp", end.getEpochSecond())
                .with("iat", now.getEpochSecond())
                .with("iss", AUDIENCE)
                .with("jti", UUID.randomUUID().toString())
                .with("kubernetes.io", bound)
                .with("nbf", now.getEpochSecond())
                .with("sub", PREFIX + info.namespace() + ":" + info.name());
        JsonObject status =
                JsonObject.EMPTY.with("token", sign(claims)).with("expirationTimestamp", new Time(end).toString());
        JsonObject metadata = JsonObject.EMPTY.with("name", info.name()).with("namespace", info.namespace());
        JsonObject answered = JsonObject.EMPTY
                .with("kind", "TokenRequest")
                .with("apiVersion", "authentication.k8s.io/v1")
                .with("metadata", metadata)
                .with("spec", spec.with("audiences", audiences).with("expirationSeconds", seconds))
                .with("status", status);
        return ServerResponse.Document.of(201, answered);
    }

    private static void check(String account, long seconds) {
        FieldErrors errors = new FieldErrors();
        if (seconds < MIN_SECONDS) {
            errors.invalid(
                    "spec.expirationSeconds",
                    JsonNumber.of(seconds),
                    "may not specify a duration less than 10 minutes");
        } else if (seconds > MAX_SECONDS) {
            errors.invalid(
                    "spec.expirationSeconds",
                    JsonNumber.of(seconds),
                    "may not specify a duration larger than 2^32 seconds");
        }
        if (!errors.isEmpty()) {
            throw ApiFailure.invalid("authentication.k8s.io", "TokenRequest", account, errors);
        }
    }

    private String sign(JsonObject claims) {
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

    /** Returns the status of a {@code TokenReview}: who the token belongs to, or that it is not valid. */
    JsonObject review(String token, List<String> audiences) {
        JsonObject claims = verified(token);
        List<String> wanted = audiences.isEmpty() ? List.of(AUDIENCE) : audiences;
        List<String> shared = claims == null
                ? List.of()
                : claims.array("aud").strings().filter(wanted::contains).toList();
        if (claims == null || shared.isEmpty() || !exists(claims)) {
            return JsonObject.of("user", JsonObject.EMPTY).with("error", "invalid bearer token");
        }
        String namespace = claims.string("kubernetes.io", "namespace");
        JsonObject user = JsonObject.EMPTY
                .with("username", claims.string("sub"))
                .with("uid", claims.string("kubernetes.io", "serviceaccount", "uid"))
                .with(
                        "groups",
                        JsonArray.ofStrings(List.of(
                                "system:serviceaccounts",
                                "system:serviceaccounts:" + namespace,
                                "system:authenticated")))
                .with(
                        "extra",
                        JsonObject.of(
                                "authentication.kubernetes.io/credential-id",
                                JsonArray.ofStrings(List.of("JTI=" + claims.string("jti")))));
        return JsonObject.EMPTY
                .with("authenticated", true)
                .with("user", user)
                .with("audiences", JsonArray.ofStrings(shared));
    }

    /** Returns the claims of a token that this server has signed and that has not expired; else null. */
    private @Nullable JsonObject verified(String token) {
        int last = token.lastIndexOf('.');
        int first = token.indexOf('.');
        if (first < 0 || first == last) {
            return null;
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(keys().getPublic());
            signature.update(token.substring(0, last).getBytes(StandardCharsets.US_ASCII));
            if (!signature.verify(Base64.getUrlDecoder().decode(token.substring(last + 1)))) {
                return null;
            }
            JsonObject claims = JsonObject.parse(Base64.getUrlDecoder().decode(token.substring(first + 1, last)));
            Long end = claims.number("exp");
            return end != null && end > backend.now().instant().getEpochSecond() ? claims : null;
        } catch (GeneralSecurityException | IllegalArgumentException | DecodeException e) {
            return null; // whatever is wrong with a token, it is not valid
        }
    }

    /** A token ends with its service account, even if another of the same name exists. */
    private boolean exists(JsonObject claims) {
        ResourceStore accounts = Objects.requireNonNull(backend.storeOfKind("v1", "ServiceAccount"));
        JsonObject bound = claims.object("kubernetes.io");
        String key = accounts.key(bound.string("namespace"), bound.string("serviceaccount", "name"));
        StoredObject account = backend.storage().snapshot().get(accounts.bucket(), key);
        return account != null && Meta.uid(account.tree()).equals(bound.string("serviceaccount", "uid"));
    }
}

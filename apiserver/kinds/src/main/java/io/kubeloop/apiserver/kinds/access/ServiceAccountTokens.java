/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Issues the tokens of service accounts, and identifies the user of a token (upstream: {@code pkg/serviceaccount}).
 * Thread-safe.
 */
public final class ServiceAccountTokens {

    private static final long DEFAULT_SECONDS = 3600;
    private static final long MIN_SECONDS = 600;
    private static final long MAX_SECONDS = 1L << 32;
    private static final String PREFIX = "system:serviceaccount:";
    private static final String EXTRA = "authentication.kubernetes.io/";
    private static final String GROUP = "authentication.k8s.io";

    /** The claim that is about Kubernetes. */
    private static final String PRIVATE = "kubernetes.io";

    private final ApiBackend backend;
    private final TokenKeys keys;
    private final List<String> issuers;
    private final List<String> audiences;
    private final TokenBinding binding;
    private final LegacyTokens legacyTokens;

    /**
     * Creates the tokens of a server's service accounts.
     *
     * @param issuers the accepted issuers; the first issues
     * @param audiences the audiences of the server
     */
    public ServiceAccountTokens(ApiBackend backend, TokenKeys keys, List<String> issuers, List<String> audiences) {
        this.backend = backend;
        this.keys = keys;
        this.issuers = issuers;
        this.audiences = audiences;
        binding = new TokenBinding(backend);
        legacyTokens = new LegacyTokens(backend);
    }

    /** Issues a token for a service account: the subresource {@code serviceaccounts/token}. */
    public ServerResponse issue(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        JsonObject body = IncomingObject.read(
                GROUP + "/v1", "TokenRequest", ApiHandler.json(request), query.writeOptions("CreateOptions"));
        sameIfGiven(body, "name", info.name(), info.name());
        sameIfGiven(body, "namespace", info.namespace(), info.name());
        String key = store.key(info.namespace(), info.name());
        JsonObject account = store.require(backend.storage().snapshot().get(store.bucket(), key), info.name())
                .tree();
        sameUid(body, account);
        JsonObject spec = body.object("spec");
        Long requested = spec.number("expirationSeconds");
        long seconds = requested == null ? DEFAULT_SECONDS : requested;
        List<String> asked = spec.array("audiences").strings().toList();
        JsonArray granted = JsonArray.ofStrings(asked.isEmpty() ? audiences : asked);
        check(spec.with("audiences", granted), seconds);
        JsonObject bound = binding.claims(account, spec.object("boundObjectRef"));
        Instant now = backend.now().instant();
        Instant end = now.plusSeconds(seconds);
        JsonObject claims = JsonObject.of("aud", granted)
                .with("exp", end.getEpochSecond())
                .with("iat", now.getEpochSecond())
                .with("iss", issuers.get(0))
                .with("jti", backend.names().uid())
                .with(PRIVATE, bound)
                .with("nbf", now.getEpochSecond())
                .with("sub", PREFIX + info.namespace() + ":" + info.name());
        JsonValue reference = spec.get("boundObjectRef");
        JsonObject answered = JsonObject.EMPTY
                .with("kind", "TokenRequest")
                .with("apiVersion", GROUP + "/v1")
                .with(
                        "metadata",
                        JsonObject.EMPTY
                                .with("name", info.name())
                                .with("namespace", info.namespace())
                                .with("uid", Meta.uid(account))
                                .with("creationTimestamp", new Time(now).toString()))
                .with(
                        "spec",
                        JsonObject.of("audiences", granted)
                                .with("expirationSeconds", seconds)
                                .with("boundObjectRef", reference == null ? JsonNull.NULL : reference))
                .with(
                        "status",
                        JsonObject.EMPTY
                                .with("token", keys.sign(claims))
                                .with("expirationTimestamp", new Time(end).toString()));
        return ServerResponse.Document.of(201, answered);
    }

    private static void sameIfGiven(JsonObject body, String field, String wanted, String account) {
        String given = Meta.text(body, field);
        if (!given.isEmpty() && !given.equals(wanted)) {
            FieldErrors errors = new FieldErrors();
            errors.invalid("metadata." + field, given, "must match the service account " + field + " if specified");
            throw StatusException.invalid(GROUP, "TokenRequest", account, errors);
        }
    }

    private static void sameUid(JsonObject body, JsonObject account) {
        String given = Meta.uid(body);
        if (!given.isEmpty() && !given.equals(Meta.uid(account))) {
            throw StatusException.preconditionFailed(
                    GROUP,
                    "TokenRequest",
                    Meta.name(account),
                    "the UID in the token request (" + given + ") does not match the UID of the service account ("
                            + Meta.uid(account) + ")");
        }
    }

    private static void check(JsonObject spec, long seconds) {
        FieldErrors errors = new FieldErrors();
        String field = "spec.expirationSeconds";
        if (seconds < MIN_SECONDS) {
            errors.invalid(field, JsonNumber.of(seconds), "may not specify a duration less than 10 minutes");
        } else if (seconds > MAX_SECONDS) {
            errors.invalid(field, JsonNumber.of(seconds), "may not specify a duration larger than 2^32 seconds");
        }
        FieldCursor request = FieldCursor.of(JsonObject.of("spec", spec), errors);
        if (TokenBinding.isWebhook(spec.object("boundObjectRef"))) {
            Attestations.check(request.at("spec"));
        } else if (spec.has("attestations")) {
            errors = Attestations.unexpected(spec.object("attestations"));
        }
        if (!errors.isEmpty()) {
            throw StatusException.invalid(GROUP, "TokenRequest", "", errors);
        }
    }

    /** A user, and the audiences that its token is for. */
    private record Identity(UserInfo user, List<String> audiences) {}

    /**
     * Returns the user that a bearer token belongs to; null if it is not a valid token for this server. Verifies one
     * signature.
     */
    public @Nullable UserInfo authenticate(String token) {
        Identity found = identity(token);
        return found == null || shared(found, audiences).isEmpty() ? null : found.user();
    }

    /**
     * Returns the status of a {@code TokenReview}: the user of the token, or that it is not valid.
     *
     * @param asked the audiences of the client; those of this server if empty
     */
    JsonObject review(String token, List<String> asked) {
        UserInfo added = backend.userOfAddedToken(token);
        // As upstream, a token that states no audience is for the audiences of the server.
        Identity found = added == null ? identity(token) : new Identity(added, audiences);
        List<String> shared = found == null ? List.of() : shared(found, asked.isEmpty() ? audiences : asked);
        if (found == null || shared.isEmpty()) {
            return JsonObject.of("user", JsonObject.EMPTY).with("error", "invalid bearer token");
        }
        return JsonObject.EMPTY
                .with("authenticated", true)
                .with("user", found.user().document())
                .with("audiences", JsonArray.ofStrings(shared));
    }

    /** Returns the user of a valid token; null if the token is not valid. */
    private @Nullable Identity identity(String token) {
        JsonObject claims = keys.verified(token);
        if (claims == null) {
            return null;
        }
        if (claims.string("iss").equals(LegacyTokens.ISSUER)) {
            UserInfo user = legacyTokens.user(token, claims);
            return user == null ? null : new Identity(user, audiences); // it states no audience
        }
        long now = backend.now().instant().getEpochSecond();
        Long begin = claims.number("nbf");
        Long end = claims.number("exp");
        boolean isValid = issuers.contains(claims.string("iss"))
                && (begin == null || begin <= now)
                && end != null
                && end > now
                && binding.holds(claims.object(PRIVATE));
        return isValid
                ? new Identity(user(claims), claims.array("aud").strings().toList())
                : null;
    }

    private static List<String> shared(Identity identity, List<String> wanted) {
        return identity.audiences().stream().filter(wanted::contains).toList();
    }

    private static UserInfo user(JsonObject claims) {
        JsonObject bound = claims.object(PRIVATE);
        String namespace = bound.string("namespace");
        Map<String, List<String>> extra = new LinkedHashMap<>();
        extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.string("jti")));
        for (String object : List.of("node", "pod")) {
            for (String part : List.of("name", "uid")) {
                String value = bound.string(object, part);
                if (!value.isEmpty()) {
                    extra.put(EXTRA + object + "-" + part, List.of(value));
                }
            }
        }
        return account(claims.string("sub"), bound.string("serviceaccount", "uid"), namespace, extra);
    }

    /** Returns the user that a service account is, with its groups. */
    static UserInfo account(String name, String uid, String namespace, Map<String, List<String>> extra) {
        return new UserInfo(
                name,
                uid,
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"),
                extra);
    }
}

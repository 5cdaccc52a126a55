/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ObjectUpdater;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tokens in secrets, which the token controller makes and which never expire (upstream: {@code legacyValidator}). A
 * token is valid while its secret contains it. The secret is labelled with the day of the last use. Thread-safe.
 */
final class LegacyTokens {

    static final String ISSUER = "kubernetes/serviceaccount";

    private static final String CLAIMS = "kubernetes.io/serviceaccount/";
    private static final String LAST_USED = "kubernetes.io/legacy-token-last-used";
    private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

    private final ApiBackend backend;
    private final ObjectUpdater updater;

    LegacyTokens(ApiBackend backend) {
        this.backend = backend;
        updater = new ObjectUpdater(backend);
    }

    /**
     * Returns the user of a token whose signature is valid; null if the token is not. Labels its secret, at most once a
     * day.
     *
     * @param claims its claims
     */
    @Nullable
    UserInfo user(String token, JsonObject claims) {
        String namespace = claims.string(CLAIMS + "namespace");
        String account = claims.string(CLAIMS + "service-account.name");
        String uid = claims.string(CLAIMS + "service-account.uid");
        String secretName = claims.string(CLAIMS + "secret.name");
        String name = "system:serviceaccount:" + namespace + ":" + account;
        if (namespace.isEmpty()
                || account.isEmpty()
                || uid.isEmpty()
                || secretName.isEmpty()
                || !claims.string("sub").equals(name)) {
            return null;
        }
        JsonObject secret = find("Secret", namespace, secretName);
        JsonObject owner = find("ServiceAccount", namespace, account);
        if (secret == null
                || owner == null
                || !Meta.uid(owner).equals(uid)
                || !Meta.text(secret, "deletionTimestamp").isEmpty()
                || !Meta.text(owner, "deletionTimestamp").isEmpty()
                || !contains(secret, token)) {
            return null;
        }
        markUse(namespace, secret);
        return secret.string("metadata", "labels", INVALID_SINCE).isEmpty()
                ? ServiceAccountTokens.account(name, uid, namespace, Map.of())
                : null;
    }

    private static boolean contains(JsonObject secret, String token) {
        byte[] stored = Base64.getDecoder().decode(secret.string("data", "token"));
        return MessageDigest.isEqual(stored, token.getBytes(StandardCharsets.UTF_8));
    }

    private ResourceStore store(String kind) {
        return Objects.requireNonNull(backend.storeOfKind("v1", kind), kind);
    }

    private @Nullable JsonObject find(String kind, String namespace, String name) {
        ResourceStore store = store(kind);
        StoredObject found = backend.storage().snapshot().get(store.bucket(), store.key(namespace, name));
        return found == null ? null : found.tree();
    }

    /** A label of tomorrow is that of a server whose clock is ahead. */
    private void markUse(String namespace, JsonObject secret) {
        LocalDate today = LocalDate.ofInstant(backend.now().instant(), ZoneOffset.UTC);
        String last = secret.string("metadata", "labels", LAST_USED);
        if (last.equals(today.toString()) || last.equals(today.plusDays(1).toString())) {
            return;
        }
        try {
            updater.update(
                    store("Secret"),
                    namespace,
                    Meta.name(secret),
                    RestStrategy.Part.MAIN,
                    current -> labelled(current, today.toString()),
                    WriteOptions.ofServer());
        } catch (StatusException e) {
            // The secret was deleted in the meantime, after this use of its token.
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private static JsonObject labelled(JsonObject secret, String day) {
        JsonObject metadata = secret.object("metadata");
        return secret.with(
                "metadata", metadata.with("labels", metadata.object("labels").with(LAST_USED, day)));
    }
}

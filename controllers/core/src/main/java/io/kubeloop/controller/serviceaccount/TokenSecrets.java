/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.api.core.ServiceAccountBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.Errors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs secrets of the type {@code kubernetes.io/service-account-token}: fills them with a token, and deletes those
 * whose account is gone (upstream: {@code tokens_controller.go}). Thread-safe. Its syncs block.
 */
final class TokenSecrets {

    static final String TYPE = "kubernetes.io/service-account-token";
    static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
    static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";

    private static final String CA = "ca.crt";
    private static final String NAMESPACE = "namespace";
    private static final String TOKEN = "token";

    private static final Logger LOG = LoggerFactory.getLogger(TokenSecrets.class);

    private final Lister<ServiceAccount> accounts;
    private final Lister<Secret> secrets;
    private final ResourceClient<ServiceAccount> accountClient;
    private final ResourceClient<Secret> secretClient;
    private final LegacyTokenSigner signer;
    private final byte[] rootCa;

    TokenSecrets(
            Lister<ServiceAccount> accounts,
            Lister<Secret> secrets,
            ResourceClient<ServiceAccount> accountClient,
            ResourceClient<Secret> secretClient,
            LegacyTokenSigner signer,
            String rootCa) {
        this.accounts = accounts;
        this.secrets = secrets;
        this.accountClient = accountClient;
        this.secretClient = secretClient;
        this.signer = signer;
        this.rootCa = rootCa.getBytes(StandardCharsets.UTF_8);
    }

    /** An account at a UID. */
    record AccountKey(ObjectName name, String uid) {

        static AccountKey of(ServiceAccount account) {
            return new AccountKey(account.objectName(), account.metadata().uid());
        }
    }

    /**
     * A secret at a UID, and its account. The key outlives both, so a deletion can be handled.
     *
     * @param accountUid empty if the secret does not name it
     */
    record SecretKey(ObjectName name, String uid, String account, String accountUid) {

        static SecretKey of(Secret secret) {
            Map<String, String> annotations = secret.metadata().annotations();
            return new SecretKey(
                    secret.objectName(),
                    secret.metadata().uid(),
                    annotations.getOrDefault(ACCOUNT_NAME, ""),
                    annotations.getOrDefault(ACCOUNT_UID, ""));
        }

        AccountKey accountKey() {
            return new AccountKey(new ObjectName(name.namespace(), account), accountUid);
        }
    }

    /** Deletes the secrets of an account that is gone. */
    void syncAccount(AccountKey key) {
        if (cached(key) != null) {
            return;
        }
        List<RuntimeException> failures = new ArrayList<>();
        for (Secret secret : secrets.list(key.name().namespace())) {
            SecretKey token = SecretKey.of(secret);
            if (secret.type().equals(TYPE) && token.accountKey().equals(key)) {
                try {
                    delete(token);
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            }
        }
        if (!failures.isEmpty()) {
            throw Errors.aggregate(failures);
        }
    }

    /** Fills a secret, deletes it if its account is gone, or removes it from its account if the secret is gone. */
    void syncSecret(SecretKey key) {
        if (key.account().isEmpty()) {
            return; // the server rejects such secrets
        }
        Secret secret = secrets.get(key.name());
        if (secret == null || !secret.metadata().uid().equals(key.uid())) {
            if (cached(key.accountKey()) != null) {
                removeReference(key);
            }
            return;
        }
        ServiceAccount account = cached(key.accountKey());
        if (account == null) {
            account = matching(
                    key.accountKey(),
                    orNull(() -> accountClient.get(key.accountKey().name())));
        }
        if (account == null) {
            LOG.debug("Deleting secret {}, because its account {} is gone", key.name(), key.account());
            delete(key);
        } else if (isIncomplete(secret)) {
            fill(account, secret);
        }
    }

    private @Nullable ServiceAccount cached(AccountKey key) {
        return matching(key, accounts.get(key.name()));
    }

    private static @Nullable ServiceAccount matching(AccountKey key, @Nullable ServiceAccount found) {
        return found != null
                        && (key.uid().isEmpty()
                                || key.uid().equals(found.metadata().uid()))
                ? found
                : null;
    }

    private void delete(SecretKey key) {
        try {
            secretClient.delete(key.name(), new DeleteOptions(null, null, key.uid(), null));
        } catch (ApiException e) {
            // A conflict means that another secret has the name.
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private boolean isIncomplete(Secret secret) {
        return lacksCa(secret) || isEmpty(secret, NAMESPACE) || isEmpty(secret, TOKEN);
    }

    private boolean lacksCa(Secret secret) {
        return rootCa.length > 0 && !Arrays.equals(secret.bytes(CA), rootCa);
    }

    private static boolean isEmpty(Secret secret, String key) {
        return secret.data().getOrDefault(key, "").isEmpty();
    }

    private void fill(ServiceAccount account, Secret cached) {
        Secret live = orNull(() -> secretClient.get(cached.objectName()));
        if (live == null
                || !live.metadata().resourceVersion().equals(cached.metadata().resourceVersion())) {
            return; // the event of its change or deletion follows
        }
        Secret filled = live;
        if (lacksCa(live)) {
            filled = filled.withBytes(CA, rootCa);
        }
        if (isEmpty(live, NAMESPACE)) {
            filled = filled.withBytes(NAMESPACE, live.metadata().namespace().getBytes(StandardCharsets.UTF_8));
        }
        if (isEmpty(live, TOKEN)) {
            String token = signer.sign(
                    live.metadata().namespace(),
                    live.metadata().name(),
                    account.metadata().name(),
                    account.metadata().uid());
            filled = filled.withBytes(TOKEN, token.getBytes(StandardCharsets.US_ASCII));
        }
        Map<String, String> annotations = new LinkedHashMap<>(live.metadata().annotations());
        annotations.put(ACCOUNT_NAME, account.metadata().name());
        annotations.put(ACCOUNT_UID, account.metadata().uid());
        try {
            secretClient.update(filled.withMetadata(ObjectMetaBuilder.builder(live.metadata())
                    .annotations(annotations)
                    .build()));
        } catch (ApiException e) {
            // In both cases a later event leads to another sync.
            if (!e.isConflict() && !e.isNotFound()) {
                throw e;
            }
        }
    }

    private void removeReference(SecretKey key) {
        try {
            accountClient.edit(key.accountKey().name(), account -> withoutReference(account, key));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private static ServiceAccount withoutReference(ServiceAccount account, SecretKey key) {
        if (matching(key.accountKey(), account) == null) {
            return account;
        }
        List<ObjectReference> kept = account.secrets().stream()
                .filter(reference -> !reference.name().equals(key.name().name()))
                .toList();
        return kept.equals(account.secrets())
                ? account
                : ServiceAccountBuilder.builder(account).secrets(kept).build();
    }

    private static <T> @Nullable T orNull(Supplier<T> read) {
        try {
            return read.get();
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }
}

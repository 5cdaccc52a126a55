/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.Lister;
import io.kubeloop.json.tree.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes once through the token secrets that older releases made for each account, marks the unused ones as invalid, and
 * deletes those that were marked long ago (upstream: {@code LegacySATokenCleaner.evaluateSATokens}).
 *
 * <p>Immutable. {@link #run} blocks on requests.
 */
final class LegacyTokenRound {

    static final String LAST_USED = "kubernetes.io/legacy-token-last-used";
    static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

    private static final ObjectName TRACKING =
            new ObjectName("kube-system", "kube-apiserver-legacy-service-account-token-tracking");

    private static final Logger LOG = LoggerFactory.getLogger(LegacyTokenRound.class);

    private final Lister<ServiceAccount> accounts;
    private final Lister<Secret> secrets;
    private final Lister<Pod> pods;
    private final ResourceClient<Secret> client;
    private final ResourceClient<ConfigMap> configMaps;
    private final Duration period;

    LegacyTokenRound(
            Lister<ServiceAccount> accounts,
            Lister<Secret> secrets,
            Lister<Pod> pods,
            KubeClient client,
            Duration period) {
        this.accounts = accounts;
        this.secrets = secrets;
        this.pods = pods;
        this.client = client.resource(ResourceTypes.SECRETS);
        configMaps = client.resource(ResourceTypes.CONFIG_MAPS);
        this.period = period;
    }

    /** Runs one round. Failures at single secrets are logged; the next round tries them again. */
    void run(Instant now) {
        LocalDate since =
                date(configMaps.get(TRACKING).data().getOrDefault("since", ""), "since of the config map " + TRACKING);
        // The server began to track uses in the course of that day.
        if (since == null
                || now.isBefore(since.plusDays(1)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant()
                        .plus(period))) {
            return;
        }
        Map<String, Set<String>> used = new HashMap<>();
        for (Secret secret : secrets.list()) {
            if (isUnused(secret, now) && isGenerated(secret) && !isMounted(secret, used)) {
                try {
                    invalidateOrDelete(secret, now);
                } catch (RuntimeException e) {
                    LOG.warn("Cannot clean up legacy token secret {}: {}", secret.objectName(), e.toString());
                }
            }
        }
    }

    private LocalDate limit(Instant now) {
        return LocalDate.ofInstant(now.minus(period), ZoneOffset.UTC);
    }

    private boolean isUnused(Secret secret, Instant now) {
        if (!secret.type().equals(TokenSecrets.TYPE)
                || secret.metadata().isDeleting()
                || secret.metadata().creationTimestamp() == null
                || !secret.metadata().creationTimestamp().instant().isBefore(now.minus(period))) {
            return false;
        }
        String lastUsed = secret.metadata().labels().get(LAST_USED);
        if (lastUsed == null) {
            return true; // not since the server tracks uses
        }
        LocalDate day = date(lastUsed, LAST_USED + " of secret " + secret.objectName());
        return day != null && day.isBefore(limit(now));
    }

    /** An account refers only to token secrets that were generated with it. */
    private boolean isGenerated(Secret secret) {
        Map<String, String> annotations = secret.metadata().annotations();
        String uid = annotations.getOrDefault(TokenSecrets.ACCOUNT_UID, "");
        ServiceAccount account = accounts.get(
                new ObjectName(secret.metadata().namespace(), annotations.getOrDefault(TokenSecrets.ACCOUNT_NAME, "")));
        return account != null
                && (uid.isEmpty() || uid.equals(account.metadata().uid()))
                && account.secrets().stream()
                        .anyMatch(reference ->
                                reference.name().equals(secret.metadata().name()));
    }

    private boolean isMounted(Secret secret, Map<String, Set<String>> used) {
        return used.computeIfAbsent(secret.metadata().namespace(), namespace -> PodSecretNames.of(pods.list(namespace)))
                .contains(secret.metadata().name());
    }

    private void invalidateOrDelete(Secret secret, Instant now) {
        String label = secret.metadata().labels().getOrDefault(INVALID_SINCE, "");
        LocalDate invalidSince = label.isEmpty() ? null : date(label, INVALID_SINCE);
        if (invalidSince == null) {
            invalidate(secret, LocalDate.ofInstant(now, ZoneOffset.UTC));
        } else if (invalidSince.isBefore(limit(now))) {
            LOG.info("Deleting legacy token secret {}, invalid since {}", secret.objectName(), invalidSince);
            delete(secret);
        }
    }

    private void invalidate(Secret secret, LocalDate today) {
        LOG.info("Marking legacy token secret {} as invalid", secret.objectName());
        JsonObject metadata = JsonObject.EMPTY
                .with("uid", secret.metadata().uid())
                .with("labels", JsonObject.EMPTY.with(INVALID_SINCE, today.toString()));
        client.patch(
                secret.objectName(),
                Patch.merge(JsonObject.EMPTY.with("metadata", metadata).toString()));
    }

    private void delete(Secret secret) {
        try {
            client.delete(
                    secret.objectName(),
                    new DeleteOptions(null, null, null, secret.metadata().resourceVersion()));
        } catch (ApiException e) {
            // A conflict means that the secret has changed; perhaps it was used.
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private static @Nullable LocalDate date(String text, String what) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException e) {
            LOG.warn("Cannot read the date {}: {}", what, e.getMessage());
            return null;
        }
    }
}

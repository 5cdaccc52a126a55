/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Secret;
import io.kubeloop.cache.ResourceEventHandler;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A bootstrap token (upstream: {@code k8s.io/cluster-bootstrap}).
 *
 * @param id the public part, six letters and digits
 * @param secret the secret part
 */
record BootstrapToken(String id, String secret) {

    static final String NAMESPACE = "kube-system";

    private static final String TYPE = "bootstrap.kubernetes.io/token";
    private static final Pattern NAME = Pattern.compile("bootstrap-token-([a-z0-9]{6})");

    /** Returns whether a secret is in the form and the namespace of tokens. */
    static boolean isToken(Secret secret) {
        return secret.type().equals(TYPE) && secret.metadata().namespace().equals(NAMESPACE);
    }

    /** Returns a handler of secrets that passes on the keys of those with tokens. */
    static ResourceEventHandler<KubeObject> keysOfTokens(Consumer<ObjectName> keys) {
        return ResourceEventHandler.filtered(
                object -> object instanceof Secret secret && isToken(secret), ResourceEventHandler.forKeys(keys));
    }

    /** Returns the token of a secret that signs; null if the secret is incomplete, expired or for other usages. */
    static @Nullable BootstrapToken ofSigner(Secret secret, Instant now) {
        Matcher name = NAME.matcher(secret.metadata().name());
        String id = text(secret, "token-id");
        String part = text(secret, "token-secret");
        boolean signs = name.matches()
                && name.group(1).equals(id)
                && !part.isEmpty()
                && text(secret, "usage-bootstrap-signing").equals("true")
                && expiration(secret).isAfter(now);
        return signs ? new BootstrapToken(id, part) : null;
    }

    /**
     * Returns when a token expires: {@link Instant#MAX} for never, {@link Instant#MIN} if its time is not RFC 3339,
     * because no client may rely on such a token.
     */
    static Instant expiration(Secret secret) {
        String expiration = text(secret, "expiration");
        if (expiration.isEmpty()) {
            return Instant.MAX;
        }
        try {
            return MicroTime.parse(expiration).instant();
        } catch (IllegalArgumentException e) {
            return Instant.MIN;
        }
    }

    private static String text(Secret secret, String key) {
        byte[] value = secret.bytes(key);
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    /** Hides the secret part. */
    @Override
    public String toString() {
        return "BootstrapToken[" + id + "]";
    }
}

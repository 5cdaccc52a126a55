/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.manager.credentials.RenewingTransport;
import io.kubeloop.manager.credentials.TokenRequests;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Creates clients with separate identities: each component acts as the service account {@code kube-system/NAME}, so
 * RBAC and the audit log distinguish the components (upstream: {@code
 * clientbuilder.DynamicControllerClientBuilder}). The builder creates a missing account, also when it is deleted later.
 * Tokens come from the TokenRequest API and are renewed before they expire. Thread-safe.
 */
public final class ServiceAccountClientBuilder implements ClientBuilder {

    private static final String NAMESPACE = "kube-system";

    private final KubeClient manager;
    private final Function<Identity, Transport> transports;
    private final ObjectCodec codec;
    private final Clock clock;
    private final Map<String, KubeClient> clients = new ConcurrentHashMap<>();

    /**
     * The identity of a transport.
     *
     * @param name the name of the component, for the user agent
     * @param token the bearer token of its service account
     */
    public record Identity(String name, String token) {

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Creates a builder.
     *
     * @param manager the client that creates accounts and requests tokens; not closed by this builder
     * @param transports creates a transport that sends a token
     */
    public ServiceAccountClientBuilder(
            KubeClient manager, Function<Identity, Transport> transports, ObjectCodec codec, Clock clock) {
        this.manager = manager;
        this.transports = transports;
        this.codec = codec;
        this.clock = clock;
    }

    @Override
    public KubeClient client(String name) {
        return clients.computeIfAbsent(name, key -> {
            ensureAccount(key);
            TokenRequests tokens =
                    new TokenRequests(manager.transport(), codec, NAMESPACE, key, clock, () -> ensureAccount(key));
            return KubeClient.of(
                    new RenewingTransport(tokens, token -> transports.apply(new Identity(key, token)), clock), codec);
        });
    }

    private void ensureAccount(String name) {
        try {
            manager.resource(ResourceTypes.SERVICE_ACCOUNTS)
                    .create(ServiceAccount.of(ObjectMeta.named(NAMESPACE, name)));
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        clients.values().forEach(KubeClient::close);
    }
}

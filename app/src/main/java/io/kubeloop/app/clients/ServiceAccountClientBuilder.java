package io.kubeloop.app.clients;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.ServiceAccount;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * An identity for each part: the service account {@code kube-system/NAME}, so that RBAC and the audit log tell them apart
 * ({@code --use-service-account-credentials}; upstream: {@code clientbuilder.DynamicControllerClientBuilder}). The account is
 * made if it is missing, now or later; its tokens come from the TokenRequest API and are renewed in time. Thread-safe.
 */
public final class ServiceAccountClientBuilder implements ClientBuilder {

    private static final String NAMESPACE = "kube-system";

    private final KubeClient manager;
    private final Function<Identity, Transport> transports;
    private final ObjectCodec codec;
    private final Clock clock;
    private final Map<String, KubeClient> clients = new ConcurrentHashMap<>();

    /**
     * Who a transport speaks for.
     *
     * @param name the part's name, for the user agent
     * @param token its bearer token
     */
    public record Identity(String name, String token) {

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Makes a builder.
     *
     * @param manager the manager's own client, which makes accounts and asks for tokens; not closed by this builder
     * @param transports makes a transport that shows a token
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

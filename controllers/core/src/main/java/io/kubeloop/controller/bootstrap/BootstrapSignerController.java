/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Secret;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Signs the {@code kubeconfig} in the config map {@code kube-public/cluster-info} with every bootstrap token that may
 * sign (upstream: {@code bootstrap.Signer}). A new node has a token. It verifies the signature with the token, and then
 * trusts the CA in the kubeconfig.
 *
 * <p>Upstream logs a failed write and waits for the next event. Here the write is repeated with backoff.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class BootstrapSignerController implements SingleLoopController {

    // Threads: handlers run on the informers' threads, the sync on the loop's worker. They share the queue.

    private static final String NAME = "bootstrapsigner";
    private static final String ACCOUNT = "bootstrap-signer";

    /** The only key. */
    static final ObjectName CLUSTER_INFO = new ObjectName("kube-public", "cluster-info");

    private final ControllerLoop<ObjectName> loop;

    private BootstrapSignerController(ControllerContext context) {
        SharedInformer<ConfigMap> configMapInformer = context.informers().informer(ResourceTypes.CONFIG_MAPS);
        SharedInformer<Secret> secretInformer = context.informers().informer(ResourceTypes.SECRETS);
        Sync sync = new Sync(
                configMapInformer.lister(),
                secretInformer.lister(),
                context.clients().apply(ACCOUNT).resource(ResourceTypes.CONFIG_MAPS),
                context.clock());
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("bootstrap_signer_queue"));
        Consumer<ObjectName> sign = changed -> queue.add(CLUSTER_INFO);
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::sign,
                List.of(
                        configMapInformer.addHandler(ResourceEventHandler.filtered(
                                configMap -> configMap.objectName().equals(CLUSTER_INFO),
                                ResourceEventHandler.forKeys(sign))),
                        secretInformer.addHandler(BootstrapToken.keysOfTokens(sign))),
                context.threads());
    }

    /** Creates the controller ({@code bootstrapsigner}), registered with its informers and not started. */
    public static BootstrapSignerController of(ControllerContext context) {
        return new BootstrapSignerController(context);
    }

    /** Starts one worker, whatever the number: there is one config map. */
    @Override
    public void start(int workers) {
        loop.start(1);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }

    /** Signs the config map. Blocks until the server responds. Thread-safe, as its parts are. */
    record Sync(Lister<ConfigMap> configMaps, Lister<Secret> secrets, ResourceClient<ConfigMap> client, Clock clock) {

        void sign(ObjectName name) {
            ConfigMap configMap = configMaps.get(name);
            if (configMap == null) {
                return;
            }
            List<BootstrapToken> tokens = secrets.list(BootstrapToken.NAMESPACE).stream()
                    .filter(BootstrapToken::isToken)
                    .map(secret -> BootstrapToken.ofSigner(secret, clock.instant()))
                    .filter(Objects::nonNull)
                    .toList();
            Map<String, String> signed = ClusterInfoSignatures.signed(configMap.data(), tokens);
            if (signed.equals(configMap.data())) {
                return;
            }
            try {
                client.update(configMap.withData(signed));
            } catch (ApiException e) {
                // In both cases an event follows.
                if (!e.isConflict() && !e.isNotFound()) {
                    throw e;
                }
            }
        }
    }
}

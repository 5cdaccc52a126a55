/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps a config map with the CA bundle of the API server in every namespace, for the pods that connect to it
 * (upstream: {@code rootcacertpublisher.Publisher}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class RootCaPublisher implements SingleLoopController {

    // Threads: handlers run on the informers' threads, syncs on the loop's workers. They share the queue.

    /** The name of the config map. */
    public static final String CONFIG_MAP = "kube-root-ca.crt";

    private static final String NAME = "root-ca-cert-publisher";
    private static final String KEY = "ca.crt";
    private static final String DESCRIPTION_ANNOTATION = "kubernetes.io/description";
    private static final String DESCRIPTION =
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as "
                    + "the internal service IP or kubernetes.default.svc. No other usage is guaranteed across "
                    + "distributions of Kubernetes clusters.";

    private static final ControllerMetric SYNCS = ControllerMetric.counter(
            "root_ca_cert_publisher_sync_total", "Syncs of namespaces by their result", "code");
    private static final ControllerMetric SYNC_SECONDS = ControllerMetric.histogram(
            "root_ca_cert_publisher_sync_duration_seconds", "Seconds of a sync", 0.001, 15, "code");

    private final Map<String, String> data;
    private final Lister<ConfigMap> configMaps;
    private final ResourceClient<ConfigMap> client;
    private final ControllerMetrics metrics;
    private final Clock clock;
    private final ControllerLoop<ObjectName> loop;

    private RootCaPublisher(ControllerContext context, String rootCa) {
        data = Map.of(KEY, rootCa);
        metrics = context.metrics();
        clock = context.clock();
        SharedInformer<Namespace> namespaceInformer = context.informers().informer(ResourceTypes.NAMESPACES);
        SharedInformer<ConfigMap> configMapInformer = context.informers().informer(ResourceTypes.CONFIG_MAPS);
        configMaps = configMapInformer.lister();
        client = context.clients().apply(NAME).resource(ResourceTypes.CONFIG_MAPS);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("root_ca_cert_publisher"));
        ResourceEventHandler<ConfigMap> changes = new ResourceEventHandler<>() {
            @Override
            public void onUpdate(ConfigMap old, ConfigMap current) {
                changed(current.objectName());
            }

            @Override
            public void onDelete(DeletedObject<ConfigMap> deleted) {
                changed(deleted.name());
            }

            private void changed(ObjectName name) {
                if (name.name().equals(CONFIG_MAP)) {
                    queue.add(NamespaceKeys.of(name.namespace()));
                }
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::syncNamespace,
                List.of(
                        configMapInformer.addHandler(changes),
                        namespaceInformer.addHandler(NamespaceKeys.handler(NAME, NamespaceKeys::isActive, queue::add))),
                context.threads());
    }

    /**
     * Creates the controller ({@code root-ca-cert-publisher}), registered with its informers and not started.
     *
     * @param rootCa the CA bundle, in PEM; empty if clients connect without TLS
     */
    public static RootCaPublisher of(ControllerContext context, String rootCa) {
        return new RootCaPublisher(context, rootCa);
    }

    private void syncNamespace(ObjectName key) {
        metrics.measure(SYNCS, SYNC_SECONDS, clock, () -> publish(key));
    }

    private void publish(ObjectName key) {
        ConfigMap found = configMaps.get(new ObjectName(key.name(), CONFIG_MAP));
        if (found == null) {
            create(key.name());
            return;
        }
        Map<String, String> annotations = new LinkedHashMap<>(found.metadata().annotations());
        boolean isDescribed =
                !annotations.getOrDefault(DESCRIPTION_ANNOTATION, "").isEmpty();
        if (found.data().equals(data) && isDescribed) {
            return;
        }
        annotations.put(DESCRIPTION_ANNOTATION, DESCRIPTION);
        client.update(found.withData(data)
                .withMetadata(ObjectMetaBuilder.builder(found.metadata())
                        .annotations(annotations)
                        .build()));
    }

    private void create(String namespace) {
        try {
            client.create(ConfigMap.of(
                    ObjectMetaBuilder.builder()
                            .namespace(namespace)
                            .name(CONFIG_MAP)
                            .annotations(Map.of(DESCRIPTION_ANNOTATION, DESCRIPTION))
                            .build(),
                    data));
        } catch (ApiException e) {
            // The namespace has been deleted or is being deleted.
            if (!e.isNotFound() && !Errors.isNamespaceTerminating(e)) {
                throw e;
            }
        }
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}

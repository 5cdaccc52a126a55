/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.InformerScope;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.discovery.ServedResources;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one ClusterTrustBundle with the CA bundle of the API server, for pods that mount it as a volume (upstream:
 * {@code clustertrustbundlepublisher.ClusterTrustBundlePublisher}). The name of the bundle has a hash of the
 * certificates; when they change, a bundle is created and those of the same signer are deleted.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class TrustBundlePublisher implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's worker. They share the queue.

    private static final String ACCOUNT = "kube-apiserver-serving-clustertrustbundle-publisher";
    private static final String NAME = "ca_cert_publisher_cluster_trust_bundles";
    private static final String SIGNER = "kubernetes.io/kube-apiserver-serving";
    private static final int HASH_BYTES = 12;

    private static final ControllerMetric SYNCS = ControllerMetric.counter(
            "clustertrustbundle_publisher_sync_total", "Syncs of the trust bundle by their result", "code");
    private static final ControllerMetric SYNC_SECONDS = ControllerMetric.histogram(
            "clustertrustbundle_publisher_sync_duration_seconds", "Seconds of a sync", 0.001, 15, "code");

    private final ResourceType<GenericObject> type;
    private final String bundle;
    private final ObjectName name;
    private final Lister<GenericObject> bundles;
    private final ResourceClient<GenericObject> client;
    private final ControllerMetrics metrics;
    private final Clock clock;
    private final RateLimitingQueue<String> queue;
    private final ControllerLoop<String> loop;

    private TrustBundlePublisher(ControllerContext context, ResourceType<GenericObject> type, String rootCa) {
        this.type = type;
        bundle = rootCa;
        name = new ObjectName("", name(rootCa));
        metrics = context.metrics();
        clock = context.clock();
        SharedInformer<GenericObject> informer =
                context.informers().informer(type, InformerScope.ALL.withFieldSelector("spec.signerName=" + SIGNER));
        bundles = informer.lister();
        client = context.clients().apply(ACCOUNT).resource(type);
        queue = WorkQueues.rateLimiting(context.queues().apply(NAME));
        loop = new ControllerLoop<>(
                ACCOUNT + "-controller",
                queue,
                this::sync,
                List.of(informer.addHandler(ResourceEventHandler.forKeys(NAME, key -> queue.add(SIGNER)))),
                context.threads());
    }

    /**
     * Creates the controller ({@code kube-apiserver-serving-clustertrustbundle-publisher-controller}), registered
     * with its informer and not started. Blocks for a request that finds the version of the resource.
     *
     * @param rootCa the CA bundle, in PEM
     * @return null if the server has no ClusterTrustBundles, or if there is no CA bundle
     */
    public static @Nullable TrustBundlePublisher of(ControllerContext context, String rootCa) {
        if (rootCa.isEmpty()) {
            return null;
        }
        return ServedResources.firstOf(
                        context.clients().apply(ACCOUNT).transport(),
                        bundles("v1"),
                        bundles("v1beta1"),
                        bundles("v1alpha1"))
                .map(type -> new TrustBundlePublisher(context, type, rootCa))
                .orElse(null);
    }

    private static ResourceType<GenericObject> bundles(String version) {
        return ResourceTypes.generic(
                "certificates.k8s.io",
                version,
                "clustertrustbundles",
                "ClusterTrustBundle",
                ResourceType.Scope.CLUSTER);
    }

    /** Returns the name of the bundle with this content. */
    static String name(String bundle) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bundle.getBytes(StandardCharsets.UTF_8));
            return SIGNER.replace('/', ':') + ":" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Starts one worker, whatever the number. */
    @Override
    public void start(int workers) {
        loop.start(1);
        queue.add(SIGNER);
    }

    private void sync(String signer) {
        metrics.measure(SYNCS, SYNC_SECONDS, clock, () -> {
            publish();
            deleteOthers();
        });
    }

    private void publish() {
        GenericObject found = bundles.get(name);
        if (found == null) {
            client.create(GenericObject.of(type.apiVersion(), type.kind(), ObjectMeta.named("", name.name()))
                    .with(List.of("spec", "signerName"), SIGNER)
                    .with(List.of("spec", "trustBundle"), bundle));
        } else if (!found.string("spec", "trustBundle").equals(bundle)) {
            client.update(found.with(List.of("spec", "trustBundle"), bundle));
        }
    }

    private void deleteOthers() {
        List<RuntimeException> errors = new ArrayList<>();
        for (GenericObject other : bundles.list()) {
            try {
                if (!other.objectName().equals(name)) {
                    client.delete(other.objectName(), DeleteOptions.DEFAULT);
                }
            } catch (ApiException e) {
                if (!e.isNotFound()) {
                    errors.add(e);
                }
            }
        }
        if (!errors.isEmpty()) {
            throw Errors.aggregate(errors);
        }
    }

    @Override
    public ControllerLoop<String> loop() {
        return loop;
    }
}

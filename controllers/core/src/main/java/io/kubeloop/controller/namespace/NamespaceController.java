/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;

/**
 * Deletes the content of terminating namespaces, pods first, and then their finalizer (upstream: {@code
 * NamespaceController}).
 *
 * <p>Promised: the finalizer stays until a sync has found every resource of the server without objects in the
 * namespace.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class NamespaceController implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's workers. They share the queue.

    private static final String NAME = "namespace";

    /** The name of the account. Its rate limit should be higher than that of others: a sync sends 150 requests. */
    private static final String ACCOUNT = "namespace-controller";

    /** The longest backoff of a namespace; shorter than usual, because people wait for the deletion. */
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

    private final ControllerLoop<ObjectName> loop;

    /**
     * Queues namespaces that are being deleted.
     *
     * @param delay the time after which a namespace is due; by then the caches of other servers contain the deletion
     */
    record Deletions(DelayingQueue<ObjectName> queue, Duration delay) implements ResourceEventHandler<Namespace> {

        @Override
        public void onAdd(Namespace namespace, boolean isInInitialList) {
            changed(namespace);
        }

        @Override
        public void onUpdate(Namespace old, Namespace current) {
            changed(current);
        }

        private void changed(Namespace namespace) {
            if (namespace.metadata().isDeleting()) {
                queue.addAfter(namespace.objectName(), delay);
            }
        }

        @Override
        public String handlerName() {
            return ACCOUNT;
        }
    }

    private NamespaceController(ControllerContext context, NamespaceControllerConfig config) {
        KubeClient client = context.clients().apply(ACCOUNT);
        SharedInformer<Namespace> namespaces = context.informers().informer(ResourceTypes.NAMESPACES);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(
                queueConfig,
                RateLimiters.maxOf(
                        RateLimiters.exponential(Duration.ofMillis(5), LONGEST_BACKOFF),
                        RateLimiters.bucket(10, 100, queueConfig.scheduler())));
        NamespaceSync sync = new NamespaceSync(
                namespaces.lister(),
                client.resource(ResourceTypes.NAMESPACES),
                new NamespaceContent(client, context.clock()),
                queue,
                config.longestWait(),
                context.clock());
        ResourceEventHandler<Namespace> handler = new Deletions(queue, config.deletionDelay());
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncNamespace,
                List.of(
                        config.resyncPeriod().isZero()
                                ? namespaces.addHandler(handler)
                                : namespaces.addHandler(handler, config.resyncPeriod())),
                context.threads());
    }

    /** Creates the controller ({@code namespace}), registered with its informer and not started. */
    public static NamespaceController of(ControllerContext context, NamespaceControllerConfig config) {
        return new NamespaceController(context, config);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttl;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Annotates each node with the time in seconds that its kubelet may use cached secrets and config maps: 0 in a cluster
 * of up to 100 nodes, up to 300 in one of more than 2,000 (upstream: {@code ttl.Controller}).
 *
 * <p>When the time changes, a node gets it at its next event; a kubelet reports every few seconds.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class TtlController implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's workers. They share the queue and `size`.

    /** The annotation. */
    public static final String ANNOTATION = "node.alpha.kubernetes.io/ttl";

    private static final String NAME = "ttl";
    private static final String ACCOUNT = "ttl-controller";

    private final ClusterSize size = new ClusterSize();
    private final Lister<Node> nodes;
    private final ResourceClient<Node> client;
    private final ControllerLoop<ObjectName> loop;

    private TtlController(ControllerContext context) {
        SharedInformer<Node> informer = context.informers().informer(ResourceTypes.NODES);
        nodes = informer.lister();
        client = context.clients().apply(ACCOUNT).resource(ResourceTypes.NODES);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("ttlcontroller"));
        ResourceEventHandler<Node> handler = new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node node, boolean isInInitialList) {
                size.add();
                queue.add(node.objectName());
            }

            @Override
            public void onUpdate(Node old, Node current) {
                queue.add(current.objectName());
            }

            @Override
            public void onDelete(DeletedObject<Node> deleted) {
                size.remove();
            }

            @Override
            public String handlerName() {
                return ACCOUNT;
            }
        };
        loop = new ControllerLoop<>(
                NAME, queue, this::syncNode, List.of(informer.addHandler(handler)), context.threads());
    }

    /** Creates the controller ({@code ttl}), registered with its informer and not started. */
    public static TtlController of(ControllerContext context) {
        return new TtlController(context);
    }

    private void syncNode(ObjectName key) {
        Node node = nodes.get(key);
        int wanted = size.seconds();
        if (node != null && !isAnnotated(node, wanted)) {
            client.patch(
                    key,
                    Patch.strategicMerge(
                            "{\"metadata\":{\"annotations\":{\"" + ANNOTATION + "\":\"" + wanted + "\"}}}"));
        }
    }

    private static boolean isAnnotated(Node node, int seconds) {
        String value = node.metadata().annotations().getOrDefault(ANNOTATION, "");
        try {
            return Integer.parseInt(value) == seconds;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}

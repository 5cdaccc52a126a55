/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodeipam;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.value.CidrRange;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives each node without address ranges the next free one of each family of the cluster (upstream: {@code
 * ipam.rangeAllocator}). The ranges of a deleted node are free at once.
 *
 * <p>Thread-safe. {@link #of}, {@link #awaitTermination} and {@link #close} block.
 */
public final class NodeIpamController implements SingleLoopController {

    private static final String NAME = "node-ipam-controller";
    private static final String ACCOUNT = "node-controller";
    private static final String COMPONENT = "cidrAllocator";

    private final List<CidrPool> pools;
    private final ResourceClient<Node> client;
    private final EventRecorder events;
    private final Lister<Node> nodes;

    /** The ranges of each node that is known. One worker at a time changes the entry of a node. */
    private final Map<ObjectName, List<CidrRange>> allocated = new ConcurrentHashMap<>();

    private final ControllerLoop<ObjectName> loop;

    private NodeIpamController(ControllerContext context, NodeIpamConfig config) {
        pools = config.clusterRanges().stream()
                .map(range -> new CidrPool(range, config.prefixOf(range)))
                .toList();
        for (CidrPool pool : pools) {
            config.serviceRanges().stream().filter(pool.cluster()::overlaps).forEach(pool::occupy);
        }
        client = context.clients().apply(ACCOUNT).resource(ResourceTypes.NODES);
        events = context.recorders().apply(COMPONENT);
        SharedInformer<Node> informer = context.informers().informer(ResourceTypes.NODES);
        nodes = informer.lister();
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("cidrallocator_node"));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(informer.addHandler(ResourceEventHandler.forKeys(COMPONENT, queue::add))),
                context.threads());
    }

    /**
     * Creates the controller ({@code node-ipam-controller}), registered with its informer and not started. Lists the
     * nodes, because their ranges must be known before the first one is given away.
     *
     * @throws IllegalArgumentException if a node has a range outside of the cluster's ranges, or the sizes do not fit
     */
    public static NodeIpamController of(ControllerContext context, NodeIpamConfig config) {
        NodeIpamController controller = new NodeIpamController(context, config);
        for (Node node : controller.client.listAll("", ListOptions.NONE)) {
            controller.occupy(node.objectName(), ranges(node));
        }
        return controller;
    }

    private static List<CidrRange> ranges(Node node) {
        List<String> texts = JsonObject.of(node.spec().unknownFields())
                .array("podCIDRs")
                .strings()
                .toList();
        if (texts.isEmpty() && !node.spec().podCIDR().isEmpty()) {
            texts = List.of(node.spec().podCIDR());
        }
        return texts.stream().map(CidrRange::parse).toList();
    }

    private void occupy(ObjectName node, List<CidrRange> ranges) {
        if (ranges.isEmpty() || allocated.putIfAbsent(node, ranges) != null) {
            return;
        }
        for (CidrRange range : ranges) {
            pools.stream()
                    .filter(pool -> pool.cluster().bits() == range.bits())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "node " + node + " has the range " + range + ", and the cluster none of that family"))
                    .occupy(range);
        }
    }

    private void release(List<CidrRange> ranges) {
        ranges.forEach(range -> pools.stream()
                .filter(pool -> pool.cluster().bits() == range.bits())
                .forEach(pool -> pool.release(range)));
    }

    private void sync(ObjectName name) {
        Node node = nodes.get(name);
        if (node == null) {
            List<CidrRange> free = allocated.remove(name);
            if (free != null) {
                release(free);
            }
            return;
        }
        List<CidrRange> present = ranges(node);
        if (!present.isEmpty()) {
            occupy(name, present);
            return;
        }
        List<CidrRange> taken = allocated.computeIfAbsent(name, key -> take(node));
        try {
            client.patch(name, Patch.strategicMerge(patch(taken)));
        } catch (ApiException e) {
            // The server has refused. After a lost answer the ranges stay the node's, and the next sync tries again.
            allocated.remove(name);
            release(taken);
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private List<CidrRange> take(Node node) {
        List<CidrRange> taken = new ArrayList<>();
        for (CidrPool pool : pools) {
            CidrRange range = pool.take();
            if (range == null) {
                release(taken);
                String name = node.metadata().name();
                events.event(
                        ResourceTypes.NODES,
                        node,
                        EventType.NORMAL,
                        "CIDRNotAvailable",
                        "Node " + name + " status is now: CIDRNotAvailable");
                throw new IllegalStateException("no range of " + pool.cluster() + " is left for node " + name);
            }
            taken.add(range);
        }
        return List.copyOf(taken);
    }

    private static String patch(List<CidrRange> ranges) {
        JsonArray list =
                JsonArray.ofStrings(ranges.stream().map(CidrRange::toString).toList());
        return JsonObject.of(
                        "spec",
                        JsonObject.EMPTY
                                .with("podCIDR", ranges.get(0).toString())
                                .with("podCIDRs", list))
                .toString();
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.tainteviction;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.eviction.PodsByNode;
import io.kubeloop.controller.eviction.Tolerations;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Evicts pods from nodes with {@code NoExecute} taints (upstream: {@code tainteviction.Controller}). A pod that does
 * not tolerate all of them is deleted at once. Otherwise it is deleted after the shortest {@code tolerationSeconds} of
 * the matching tolerations, counted from the moment when the controller sees the taint. After a restart of the
 * controller the time begins again.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class TaintEvictionController implements SingleLoopController {

    private static final String NAME = "taint-eviction-controller";
    private static final String ACCOUNT = "node-controller";

    private final Lister<Pod> pods;
    private final Lister<Node> nodes;
    private final PodsByNode podsByNode;
    private final EvictionTimers timers;
    private final PodEviction eviction;
    private final ControllerLoop<Item> loop;

    /**
     * What a worker looks at.
     *
     * @param cause why
     * @param name the node or the pod
     */
    private record Item(Cause cause, ObjectName name) {}

    private enum Cause {
        /** The taints of the node changed. */
        NODE,
        /** The pod is new on its node, has other tolerations, or is gone. */
        POD,
        /** The time of the pod may have come. */
        DUE
    }

    private TaintEvictionController(ControllerContext context) {
        SharedInformer<Pod> podInformer = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Node> nodeInformer = context.informers().informer(ResourceTypes.NODES);
        pods = podInformer.lister();
        nodes = nodeInformer.lister();
        podsByNode = PodsByNode.of(podInformer);
        WorkQueueConfig config = context.queues().apply("noexec_taint_pod");
        RateLimitingQueue<Item> queue = WorkQueues.rateLimiting(config);
        eviction = new PodEviction(
                context.clients().apply(ACCOUNT).resource(ResourceTypes.PODS),
                context.recorders().apply(NAME),
                context.clock(),
                context.metrics());
        context.metrics().present(PodEviction.DELETIONS);
        timers = new EvictionTimers(
                ControllerTime.steady(config.scheduler()),
                (pod, wait) -> queue.addAfter(new Item(Cause.DUE, pod), wait));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(podInformer.addHandler(podHandler(queue)), nodeInformer.addHandler(nodeHandler(queue))),
                context.threads());
    }

    /** Creates the controller ({@code taint-eviction-controller}), registered with its informers and not started. */
    public static TaintEvictionController of(ControllerContext context) {
        return new TaintEvictionController(context);
    }

    private static ResourceEventHandler<Pod> podHandler(RateLimitingQueue<Item> queue) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod, boolean isInInitialList) {
                add(pod);
            }

            @Override
            public void onUpdate(Pod old, Pod current) {
                boolean isReplaced =
                        !old.metadata().uid().equals(current.metadata().uid());
                if (isReplaced
                        || !old.spec().nodeName().equals(current.spec().nodeName())
                        || !Tolerations.of(old.spec()).equals(Tolerations.of(current.spec()))) {
                    add(current);
                }
            }

            @Override
            public void onDelete(DeletedObject<Pod> deleted) {
                queue.add(new Item(Cause.POD, deleted.name()));
            }

            private void add(Pod pod) {
                if (!pod.spec().nodeName().isEmpty()) {
                    queue.add(new Item(Cause.POD, pod.objectName()));
                }
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
    }

    private static ResourceEventHandler<Node> nodeHandler(RateLimitingQueue<Item> queue) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node node, boolean isInInitialList) {
                add(node);
            }

            @Override
            public void onUpdate(Node old, Node current) {
                if (!noExecute(old).equals(noExecute(current))) {
                    add(current);
                }
            }

            // The pods of a node that is gone are the pod garbage collector's.
            private void add(Node node) {
                queue.add(new Item(Cause.NODE, node.objectName()));
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
    }

    private static List<Taint> noExecute(Node node) {
        return node.spec().taints().stream()
                .filter(taint -> taint.effect().equals(Taint.NO_EXECUTE))
                .toList();
    }

    private void sync(Item item) {
        switch (item.cause()) {
            case NODE -> syncNode(item.name());
            case POD -> syncPod(item.name());
            case DUE -> evictIfDue(item.name());
        }
    }

    private void syncNode(ObjectName name) {
        Node node = nodes.get(name);
        if (node != null) {
            podsByNode.on(name.name()).forEach(pod -> check(pod, noExecute(node)));
        }
    }

    private void syncPod(ObjectName name) {
        Pod pod = pods.get(name);
        if (pod == null) {
            cancel(name);
            return;
        }
        Node node = nodes.get(new ObjectName("", pod.spec().nodeName()));
        if (node != null) {
            check(pod, noExecute(node));
        }
    }

    /** A timer that runs is not changed by another limit; a taint that is not tolerated replaces it. */
    private void check(Pod pod, List<Taint> taints) {
        ObjectName name = pod.objectName();
        OptionalLong limit = Tolerations.of(pod.spec()).seconds(taints);
        if (taints.isEmpty() || limit.isEmpty()) {
            cancel(name);
        } else if (limit.getAsLong() <= 0) {
            cancel(name);
            eviction.evict(pod);
        } else {
            timers.start(name, pod.metadata().uid(), Duration.ofSeconds(limit.getAsLong()));
        }
    }

    private void cancel(ObjectName pod) {
        if (timers.cancel(pod)) {
            eviction.cancelled(pod);
        }
    }

    private void evictIfDue(ObjectName name) {
        String uid = timers.takeDue(name);
        Pod pod = pods.get(name);
        if (uid != null && pod != null && pod.metadata().uid().equals(uid)) {
            eviction.evict(pod);
        }
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }
}

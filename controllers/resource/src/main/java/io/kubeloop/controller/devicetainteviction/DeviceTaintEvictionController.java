/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.discovery.ServedResources;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods that use devices with {@code NoExecute} taints (upstream: {@code devicetainteviction.Controller}). A pod
 * is evicted at the time when the taint was added plus the {@code tolerationSeconds} of its claim's allocation. Taints
 * come from drivers, in ResourceSlices, and from administrators, in DeviceTaintRules.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class DeviceTaintEvictionController implements CompositeController {

    // Threads: the handlers run on the threads of the informers, syncs on the workers of two loops. They share the
    // queues. Only the worker that syncs a pod reads and writes the pod's entries in the two maps.

    private static final String NAME = "device-taint-eviction-controller";
    private static final ResourceType<GenericObject> CLAIMS = ResourceTypes.generic(
            "resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", ResourceType.Scope.NAMESPACED);
    private static final ResourceType<GenericObject> SLICES = ResourceTypes.generic(
            "resource.k8s.io", "v1", "resourceslices", "ResourceSlice", ResourceType.Scope.CLUSTER);
    private static final ResourceType<GenericObject> RULES = ResourceTypes.generic(
            "resource.k8s.io", "v1", "devicetaintrules", "DeviceTaintRule", ResourceType.Scope.CLUSTER);
    private static final String STATUS = NAME + "-rules";
    private static final String BY_POOL = "device-pool";
    private static final String BY_CONSUMER = "consumer-uid";

    private final SharedInformer<GenericObject> claims;
    private final Lister<Pod> pods;
    private final RateLimitingQueue<ObjectName> queue;
    private final DeviceTaints taints;
    private final DeviceEviction eviction;
    private final Clock clock;
    private final @Nullable TaintRuleStatus ruleStatus;
    private final ControllerGroup loops;

    /** The UIDs of the pods that wait for their eviction. */
    private final Map<ObjectName, String> waiting = new ConcurrentHashMap<>();

    /** The UIDs of the pods whose deletion the cache does not show yet. */
    private final Map<ObjectName, String> evicted = new ConcurrentHashMap<>();

    private DeviceTaintEvictionController(ControllerContext context) {
        SharedInformer<Pod> podInformer = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<GenericObject> slices = context.informers().informer(SLICES);
        claims = context.informers().informer(CLAIMS);
        pods = podInformer.lister();
        slices.addIndexers(Map.of(BY_POOL, slice -> List.of(DeviceTaints.poolOf(slice))));
        claims.addIndexers(Map.of(
                BY_POOL,
                DeviceTaints::poolsOf,
                BY_CONSUMER,
                claim -> consumers(claim).map(each -> each.string("uid")).toList()));
        queue = WorkQueues.rateLimiting(context.queues().apply(NAME));
        clock = context.clock();
        KubeClient client = context.clients().apply(NAME);
        eviction = new DeviceEviction(
                client.resource(ResourceTypes.PODS), context.recorders().apply(NAME), clock, context.metrics());
        context.metrics().present(DeviceEviction.DELETIONS);
        List<Registration> registrations = new ArrayList<>();
        ControllerGroup group = ControllerGroup.named(NAME);
        if (ServedResources.isServed(client.transport(), RULES)) {
            SharedInformer<GenericObject> rules = context.informers().informer(RULES);
            taints = new DeviceTaints(
                    pool -> slices.byIndex(BY_POOL, pool), () -> rules.lister().list());
            RateLimitingQueue<ObjectName> statusQueue =
                    WorkQueues.rateLimiting(context.queues().apply(STATUS));
            var status = new TaintRuleStatus(
                    rules.lister(),
                    client.resource(RULES),
                    taints,
                    new TaintRuleStatus.Sources(pods, claims.lister(), slices.lister(), this::due),
                    statusQueue,
                    clock);
            ruleStatus = status;
            Registration registration = rules.addHandler(new RuleHandler(status, statusQueue));
            registrations.add(registration);
            group = group.with(
                    new ControllerLoop<>(STATUS, statusQueue, status::sync, registrations, context.threads()), 1);
        } else {
            taints = new DeviceTaints(pool -> slices.byIndex(BY_POOL, pool), List::of);
            ruleStatus = null;
        }
        registrations.addAll(List.of(
                podInformer.addHandler(
                        ResourceEventHandler.forKeys(NAME, DeviceTaintEvictionController::mayMatter, queue::add)),
                claims.addHandler(new Changes(this::addConsumers)),
                slices.addHandler(new Changes(slice ->
                        claims.byIndex(BY_POOL, DeviceTaints.poolOf(slice)).forEach(this::addConsumers)))));
        loops = group.with(new ControllerLoop<>(NAME, queue, this::sync, registrations, context.threads()));
    }

    /**
     * Creates the controller ({@code device-taint-eviction-controller}), registered with its informers and not
     * started.
     */
    public static DeviceTaintEvictionController of(ControllerContext context) {
        return new DeviceTaintEvictionController(context);
    }

    /**
     * Creates the controller as {@link #of} does, if the server has its resource. Blocks for a request.
     *
     * @return null if the server is older than Kubernetes 1.34
     */
    public static @Nullable DeviceTaintEvictionController ifServed(ControllerContext context) {
        return ServedResources.isServed(context.clients().apply(NAME).transport(), CLAIMS) ? of(context) : null;
    }

    private static boolean mayMatter(Pod old, Pod current) {
        return !old.metadata().uid().equals(current.metadata().uid())
                || !old.spec().nodeName().equals(current.spec().nodeName())
                || old.metadata().isDeleting() != current.metadata().isDeleting();
    }

    private static Stream<JsonObject> consumers(GenericObject claim) {
        return JsonObject.of(claim.unknownFields())
                .array("status", "reservedFor")
                .objects()
                .filter(each -> each.string("resource").equals("pods")
                        && each.string("apiGroup").isEmpty());
    }

    private void addConsumers(GenericObject claim) {
        consumers(claim)
                .forEach(each -> queue.add(new ObjectName(claim.metadata().namespace(), each.string("name"))));
    }

    /**
     * Passes on every state of an object: a pod is affected by what its claim or device was, and by what it is.
     *
     * @param affected receives the states
     */
    private record Changes(Consumer<GenericObject> affected) implements ResourceEventHandler<GenericObject> {

        @Override
        public void onAdd(GenericObject object, boolean isInInitialList) {
            affected.accept(object);
        }

        @Override
        public void onUpdate(GenericObject old, GenericObject current) {
            affected.accept(old);
            affected.accept(current);
        }

        @Override
        public void onDelete(DeletedObject<GenericObject> deleted) {
            GenericObject last = deleted.lastKnown();
            if (last != null) {
                affected.accept(last);
            }
        }

        @Override
        public String handlerName() {
            return NAME;
        }
    }

    /** A rule is rare and may select any device, so all claims are looked at. */
    private final class RuleHandler implements ResourceEventHandler<GenericObject> {

        private final TaintRuleStatus status;
        private final RateLimitingQueue<ObjectName> changed;

        RuleHandler(TaintRuleStatus status, RateLimitingQueue<ObjectName> changed) {
            this.status = status;
            this.changed = changed;
        }

        @Override
        public void onAdd(GenericObject rule, boolean isInInitialList) {
            changed.add(rule.objectName());
            addAllConsumers();
        }

        @Override
        public void onUpdate(GenericObject old, GenericObject current) {
            boolean isOther = !old.metadata().uid().equals(current.metadata().uid());
            if (isOther) {
                status.forget(old);
            }
            if (isOther || !old.map("spec").equals(current.map("spec"))) {
                onAdd(current, false);
            }
        }

        @Override
        public void onDelete(DeletedObject<GenericObject> deleted) {
            GenericObject last = deleted.lastKnown();
            if (last != null) {
                status.forget(last);
            }
            addAllConsumers();
        }

        private void addAllConsumers() {
            claims.lister().list().forEach(DeviceTaintEvictionController.this::addConsumers);
        }

        @Override
        public String handlerName() {
            return STATUS;
        }
    }

    private void sync(ObjectName name) {
        Pod pod = pods.get(name);
        if (pod == null || pod.metadata().isDeleting()) {
            waiting.remove(name);
            evicted.remove(name);
        } else if (!pod.metadata().uid().equals(evicted.get(name))) {
            check(pod);
        }
    }

    private void check(Pod pod) {
        ObjectName name = pod.objectName();
        String uid = pod.metadata().uid();
        DeviceTaints.Expiry due = due(pod, taints);
        Instant now = clock.instant();
        if (due == null) {
            if (uid.equals(waiting.remove(name))) {
                eviction.cancelled(pod);
            }
        } else if (due.when().isAfter(now)) {
            waiting.put(name, uid);
            queue.addAfter(name, Duration.between(now, due.when()));
            if (ruleStatus != null) {
                ruleStatus.pending(due);
            }
        } else {
            waiting.remove(name);
            eviction.evict(pod);
            evicted.put(name, uid);
            if (ruleStatus != null) {
                ruleStatus.evicted(due);
            }
        }
    }

    /** Returns when the pod must go, or null if it stays. A pod without a node does not run on the device. */
    private DeviceTaints.@Nullable Expiry due(Pod pod, DeviceTaints causes) {
        if (pod.spec().nodeName().isEmpty()) {
            return null;
        }
        return claims.byIndex(BY_CONSUMER, pod.metadata().uid()).stream()
                .map(causes::expiry)
                .filter(Objects::nonNull)
                .reduce(DeviceTaints.Expiry::and)
                .orElse(null);
    }

    /** Returns the loop of pods and, if the server has DeviceTaintRules, the one of their status. */
    @Override
    public ControllerGroup loops() {
        return loops;
    }
}

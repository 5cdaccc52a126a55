/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.servicecidrs;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.value.CidrRange;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Keeps a deleted ServiceCIDR while Services have addresses of it that no other range contains, and reports whether it
 * is ready (upstream: {@code servicecidrs.Controller}).
 *
 * <p>An API server may still allocate from a range that it has not seen deleted, so a range goes 10 seconds after its
 * deletion at the earliest.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ServiceCidrController implements SingleLoopController {

    /** The finalizer of ranges. */
    public static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

    private static final String NAME = "service-cidr-controller";
    private static final String ACCOUNT = "service-cidrs-controller";
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final ResourceType<GenericObject> RANGES =
            ResourceTypes.generic("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", ResourceType.Scope.CLUSTER);
    private static final ResourceType<GenericObject> ADDRESSES =
            ResourceTypes.generic("networking.k8s.io", "v1", "ipaddresses", "IPAddress", ResourceType.Scope.CLUSTER);
    private static final Map<String, String> ALLOCATED =
            Map.of("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io");

    private final Lister<GenericObject> ranges;
    private final Lister<GenericObject> addresses;
    private final ResourceClient<GenericObject> client;
    private final Clock clock;
    private final RateLimitingQueue<ObjectName> queue;
    private final ControllerLoop<ObjectName> loop;

    private ServiceCidrController(ControllerContext context) {
        SharedInformer<GenericObject> rangeInformer = context.informers().informer(RANGES);
        SharedInformer<GenericObject> addressInformer = context.informers().informer(ADDRESSES);
        ranges = rangeInformer.lister();
        addresses = addressInformer.lister();
        client = context.clients().apply(ACCOUNT).resource(RANGES);
        clock = context.clock();
        queue = WorkQueues.rateLimiting(context.queues().apply("ipaddresses"));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(
                        rangeInformer.addHandler(ResourceEventHandler.forObjects(NAME, this::rangeChanged)),
                        addressInformer.addHandler(addressHandler())),
                context.threads());
    }

    /** Creates the controller ({@code service-cidr-controller}), registered with its informers and not started. */
    public static ServiceCidrController of(ControllerContext context) {
        return new ServiceCidrController(context);
    }

    /** A range that comes, changes or goes matters to those that overlap it. */
    private void rangeChanged(GenericObject range) {
        queue.add(range.objectName());
        for (GenericObject other : ranges.list()) {
            if (cidrs(other).stream().anyMatch(cidr -> cidrs(range).stream().anyMatch(cidr::overlaps))) {
                queue.add(other.objectName());
            }
        }
    }

    private ResourceEventHandler<GenericObject> addressHandler() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericObject address, boolean isInInitialList) {
                changed(address.metadata().name());
            }

            @Override
            public void onDelete(DeletedObject<GenericObject> deleted) {
                changed(deleted.name().name());
            }

            private void changed(String address) {
                for (GenericObject range : ranges.list()) {
                    if (cidrs(range).stream().anyMatch(cidr -> cidr.contains(address))) {
                        queue.add(range.objectName());
                    }
                }
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
    }

    private static List<CidrRange> cidrs(GenericObject range) {
        return range.list("spec", "cidrs").stream()
                .map(cidr -> CidrRange.parse(String.valueOf(cidr)))
                .toList();
    }

    private void sync(ObjectName name) {
        GenericObject range = ranges.get(name);
        if (range == null) {
            return;
        }
        boolean isProtected = Finalizers.has(range, FINALIZER);
        if (!range.metadata().isDeleting()) {
            if (!isProtected) {
                writeFinalizers(Finalizers.add(range, FINALIZER));
            }
            report(range, "True", "", "Kubernetes Service CIDR is ready");
        } else if (isProtected) {
            release(range);
        }
    }

    private void release(GenericObject range) {
        if (isNeeded(range)) {
            report(
                    range,
                    "False",
                    "Terminating",
                    "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new"
                            + " ServiceCIDR");
            return;
        }
        Time deletion = Objects.requireNonNull(range.metadata().deletionTimestamp());
        Duration left = Duration.between(clock.instant(), deletion.instant().plus(GRACE));
        if (!left.isNegative() && !left.isZero()) {
            queue.addAfter(range.objectName(), left);
            return;
        }
        writeFinalizers(Finalizers.remove(range, FINALIZER));
    }

    /** Returns whether a Service has an address that lies in this range alone. */
    private boolean isNeeded(GenericObject range) {
        List<CidrRange> others = ranges.list().stream()
                .filter(other ->
                        !other.metadata().name().equals(range.metadata().name()))
                .filter(other -> !other.metadata().isDeleting())
                .flatMap(other -> cidrs(other).stream())
                .toList();
        return cidrs(range).stream()
                .filter(cidr -> others.stream().noneMatch(other -> other.contains(cidr)))
                .anyMatch(cidr -> addresses.list().stream()
                        .filter(address ->
                                address.metadata().labels().entrySet().containsAll(ALLOCATED.entrySet()))
                        .map(address -> address.metadata().name())
                        .anyMatch(address ->
                                cidr.contains(address) && others.stream().noneMatch(other -> other.contains(address))));
    }

    private void writeFinalizers(GenericObject range) {
        JsonObject metadata =
                JsonObject.of("finalizers", JsonArray.ofStrings(range.metadata().finalizers()));
        client.patch(
                range.objectName(),
                Patch.merge(JsonObject.of("metadata", metadata).toString()));
    }

    private void report(GenericObject range, String status, String reason, String message) {
        boolean isReported = JsonObject.of(range.unknownFields())
                .array("status", "conditions")
                .objects()
                .anyMatch(condition -> condition.string("type").equals("Ready")
                        && condition.string("status").equals(status)
                        && condition.string("reason").equals(reason)
                        && condition.string("message").equals(message));
        if (isReported) {
            return;
        }
        Instant now = clock.instant();
        JsonObject condition = JsonObject.EMPTY
                .with("type", "Ready")
                .with("status", status)
                .with("reason", reason)
                .with("message", message)
                .with("lastTransitionTime", new Time(now).toString());
        JsonObject applied = JsonObject.EMPTY
                .with("apiVersion", "networking.k8s.io/v1")
                .with("kind", "ServiceCIDR")
                .with("metadata", JsonObject.EMPTY.with("name", range.metadata().name()))
                .with("status", JsonObject.of("conditions", JsonArray.of(condition)));
        client.patch(range.objectName(), Patch.apply(applied.toString(), NAME, true), "status");
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}

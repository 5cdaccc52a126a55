/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.QuotaUsage;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Queues the quotas of a namespace after a deletion, and after a change that the server does not charge (upstream:
 * {@code QuotaMonitor}, {@code DefaultUpdateFilter}). The server charges creations.
 *
 * <p>One handler for each resource; its methods run on the thread of the informer.
 */
final class Replenishment<T extends KubeObject> implements ResourceEventHandler<T> {

    private final ResourceType<?> type;
    private final BiPredicate<T, T> isDue;
    private final QuotaQueues queues;

    /**
     * Creates a handler.
     *
     * @param isDue whether a change from one state of an object to another one can free something
     */
    Replenishment(ResourceType<?> type, BiPredicate<T, T> isDue, QuotaQueues queues) {
        this.type = type;
        this.isDue = isDue;
        this.queues = queues;
    }

    @Override
    public void onAdd(T object, boolean isInInitialList) {}

    /** Most namespaces have no quota, so their changes need no comparison. */
    @Override
    public void onUpdate(T old, T current) {
        if (!queues.hasQuotas(current.metadata().namespace())) {
            return;
        }
        boolean isAnother = !old.metadata().uid().equals(current.metadata().uid()); // its deletion was missed
        if (isAnother || isDue.test(old, current)) {
            queues.replenish(type, current.metadata().namespace());
        }
    }

    @Override
    public void onDelete(DeletedObject<T> deleted) {
        queues.replenish(type, deleted.name().namespace());
    }

    @Override
    public String handlerName() {
        return ResourceQuotaController.ACCOUNT;
    }

    /** A pod releases quota when it ends, when it enters or leaves the scope of a quota, and when it is resized. */
    static BiPredicate<Pod, Pod> ofPods(Clock clock) {
        return (old, current) -> isDue(old, current, clock);
    }

    private static boolean isDue(Pod old, Pod current, Clock clock) {
        if (!old.spec().equals(current.spec()) && hasDeadline(old) != hasDeadline(current)) {
            return true;
        }
        return (!hasEnded(old, clock) && hasEnded(current, clock))
                || !statuses(old)
                        .map(Replenishment::actual)
                        .toList()
                        .equals(statuses(current).map(Replenishment::actual).toList());
    }

    private static boolean hasDeadline(Pod pod) {
        Long deadline = JsonObject.of(pod.spec().unknownFields()).number("activeDeadlineSeconds");
        return deadline != null && deadline >= 0;
    }

    private static boolean hasEnded(Pod pod, Clock clock) {
        return pod.isFinished()
                || (pod.metadata().isDeleting()
                        && QuotaUsage.hasEnded(Trees.of(ResourceTypes.PODS, pod), clock.instant()));
    }

    private static Stream<ContainerStatus> statuses(Pod pod) {
        return Stream.concat(pod.status().containerStatuses().stream(), pod.status().initContainerStatuses().stream());
    }

    private static List<Object> actual(ContainerStatus status) {
        JsonObject more = JsonObject.of(status.unknownFields());
        return List.of(status.name(), more.object("resources"), more.object("allocatedResources"));
    }

    /** A service releases quota when its type changes. */
    static boolean isDue(Service old, Service current) {
        return !Objects.equals(old.spec().type(), current.spec().type());
    }

    /** Every change of a claim counts: upstream compares the addresses of two copies of the allocated storage. */
    static boolean isDue(PersistentVolumeClaim old, PersistentVolumeClaim current) {
        return true;
    }
}

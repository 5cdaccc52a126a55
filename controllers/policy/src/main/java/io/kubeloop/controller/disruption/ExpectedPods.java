/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.discovery.ScaleClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pods that the owners of a budget's pods want (upstream: {@code getExpectedScale} and the finders). The
 * scale of well-known owners comes from the caches, that of others from the server.
 *
 * <p>Thread-safe. Blocks while it sends requests to the server.
 */
final class ExpectedPods {

    private final DisruptionCaches caches;
    private final ScaleClient scales;

    ExpectedPods(DisruptionCaches caches, ScaleClient scales) {
        this.caches = caches;
        this.scales = scales;
    }

    /**
     * The result of a count.
     *
     * @param number the pods that all owners want together
     * @param hasUnmanaged whether a pod has no owner, so the number says nothing about it
     */
    record Count(int number, boolean hasUnmanaged) {}

    /**
     * Counts. O(pods), and a request for each owner of another kind.
     *
     * @throws ControllerException if a pod's owner does not exist
     * @throws RuntimeException if the server rejected a request or did not respond, or does not serve the owner's kind
     */
    Count of(List<Pod> pods) {
        Map<String, Integer> byOwner = new HashMap<>();
        boolean hasUnmanaged = false;
        for (Pod pod : pods) {
            OwnerReference owner = pod.metadata().controller();
            if (owner == null) {
                hasUnmanaged = true;
            } else if (!byOwner.containsKey(owner.uid())) {
                ScaleClient.Scale scale = scaleOf(owner, pod.metadata().namespace());
                if (scale == null) {
                    throw new ControllerException(
                            "found no controllers for pod \"" + pod.metadata().name() + "\"", null);
                }
                byOwner.put(scale.uid(), scale.replicas());
            }
        }
        return new Count(byOwner.values().stream().mapToInt(Integer::intValue).sum(), hasUnmanaged);
    }

    private ScaleClient.@Nullable Scale scaleOf(OwnerReference owner, String namespace) {
        ObjectName name = new ObjectName(namespace, owner.name());
        ScaleClient.Scale known = switch (groupKind(owner)) {
            case "ReplicationController" -> {
                ReplicationController found = find(caches.replicationControllers(), name, owner);
                yield found == null ? null : scale(found, found.spec().replicas());
            }
            case "apps/ReplicaSet", "extensions/ReplicaSet" -> scaleOf(find(caches.replicaSets(), name, owner));
            case "apps/StatefulSet" -> {
                StatefulSet found = find(caches.statefulSets(), name, owner);
                yield found == null ? null : scale(found, found.spec().replicas());
            }
            default -> null;
        };
        if (known != null) {
            return known;
        }
        ScaleClient.Scale read = scales.read(owner.apiVersion(), owner.kind(), name);
        return read == null || !read.uid().equals(owner.uid()) ? null : read;
    }

    private static String groupKind(OwnerReference owner) {
        int slash = owner.apiVersion().indexOf('/');
        return slash < 0 ? owner.kind() : owner.apiVersion().substring(0, slash) + "/" + owner.kind();
    }

    /** Returns the scale of the set's deployment if it has one, because a rollout has several sets. */
    private ScaleClient.@Nullable Scale scaleOf(@Nullable ReplicaSet set) {
        if (set == null) {
            return null;
        }
        OwnerReference owner = set.metadata().controller();
        if (owner == null || !owner.kind().equals("Deployment")) {
            return scale(set, set.spec().replicas());
        }
        Deployment deployment =
                find(caches.deployments(), new ObjectName(set.metadata().namespace(), owner.name()), owner);
        return deployment == null ? null : scale(deployment, deployment.spec().replicas());
    }

    private static <T extends KubeObject> @Nullable T find(Lister<T> lister, ObjectName name, OwnerReference owner) {
        T found = lister.get(name);
        return found != null && found.metadata().uid().equals(owner.uid()) ? found : null;
    }

    private static ScaleClient.Scale scale(KubeObject owner, @Nullable Integer replicas) {
        return new ScaleClient.Scale(owner.metadata().uid(), replicas == null ? 1 : replicas);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentStrategy;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.workqueue.WorkQueue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles events of ReplicaSets and pods: queues the deployments that they concern (upstream: the handlers of the same
 * names in {@code deployment_controller.go}). One thread delivers the events of ReplicaSets, another those of pods.
 */
final class DeploymentHandlers {

    private static final Logger LOG = LoggerFactory.getLogger(DeploymentHandlers.class);

    private final Lister<Deployment> deployments;
    private final Lister<ReplicaSet> sets;
    private final Lister<Pod> pods;
    private final WorkQueue<ObjectName> queue;

    DeploymentHandlers(
            Lister<Deployment> deployments, Lister<ReplicaSet> sets, Lister<Pod> pods, WorkQueue<ObjectName> queue) {
        this.deployments = deployments;
        this.sets = sets;
        this.pods = pods;
        this.queue = queue;
    }

    /** Returns the handler of events of ReplicaSets. */
    ResourceEventHandler<ReplicaSet> ofSets() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(ReplicaSet set, boolean isInInitialList) {
                changed(set, null);
            }

            @Override
            public void onUpdate(ReplicaSet old, ReplicaSet current) {
                // A resync delivers unchanged objects.
                if (!old.metadata().resourceVersion().equals(current.metadata().resourceVersion())) {
                    changed(current, old);
                }
            }

            @Override
            public void onDelete(DeletedObject<ReplicaSet> deleted) {
                ReplicaSet last = deleted.lastKnown();
                if (last != null) {
                    queueOwner(last);
                }
            }
        };
    }

    private void changed(ReplicaSet set, @Nullable ReplicaSet old) {
        OwnerReference owner = set.metadata().controller();
        OwnerReference oldOwner = old == null ? null : old.metadata().controller();
        boolean ownerChanged = old != null && !Objects.equals(owner, oldOwner);
        if (old != null && ownerChanged) {
            queueOwner(old);
        }
        if (owner != null) {
            queueOwner(set);
        } else if (!set.metadata().isDeleting()
                && (old == null
                        || ownerChanged
                        || !old.metadata().labels().equals(set.metadata().labels()))) {
            matching(set).forEach(deployment -> queue.add(deployment.objectName()));
        }
    }

    private void queueOwner(ReplicaSet set) {
        Deployment owner = owner(set);
        if (owner != null) {
            queue.add(owner.objectName());
        }
    }

    private @Nullable Deployment owner(ReplicaSet set) {
        return resolve(set.metadata().namespace(), set.metadata().controller());
    }

    private @Nullable Deployment resolve(String namespace, @Nullable OwnerReference reference) {
        if (reference == null || !reference.kind().equals(ResourceTypes.DEPLOYMENTS.kind())) {
            return null;
        }
        Deployment found = deployments.get(new ObjectName(namespace, reference.name()));
        return found != null && found.metadata().uid().equals(reference.uid()) ? found : null;
    }

    /** Returns the deployments that could adopt an orphan; the first sync adopts it. */
    private List<Deployment> matching(ReplicaSet orphan) {
        return orphan.metadata().labels().isEmpty()
                ? List.of()
                : deployments.list(orphan.metadata().namespace(), deployment -> selects(deployment, orphan));
    }

    private static boolean selects(Deployment deployment, ReplicaSet set) {
        try {
            Selector selector = LabelSelectors.of(deployment.spec().selector());
            return !selector.isEmpty() && selector.matches(set.metadata().labels());
        } catch (InvalidSelectorException e) {
            LOG.debug(
                    "Deployment {} selects nothing, its selector is invalid: {}",
                    deployment.objectName(),
                    e.getMessage());
            return false;
        }
    }

    /** Returns the handler of events of pods: only the end of the last old pod matters, and only to Recreate. */
    ResourceEventHandler<Pod> ofPods() {
        return new ResourceEventHandler<>() {
            @Override
            public void onDelete(DeletedObject<Pod> deleted) {
                Pod last = deleted.lastKnown();
                if (last != null) {
                    podEnded(last);
                }
            }
        };
    }

    private void podEnded(Pod pod) {
        OwnerReference reference = pod.metadata().controller();
        if (reference == null || !reference.kind().equals(ResourceTypes.REPLICA_SETS.kind())) {
            return;
        }
        String namespace = pod.metadata().namespace();
        ReplicaSet set = sets.get(new ObjectName(namespace, reference.name()));
        Deployment deployment = set == null ? null : owner(set);
        if (deployment != null
                && deployment.spec().strategy().type().equals(DeploymentStrategy.RECREATE)
                && hasNoPods(deployment)) {
            queue.add(deployment.objectName());
        }
    }

    private boolean hasNoPods(Deployment deployment) {
        String namespace = deployment.metadata().namespace();
        List<String> uids = sets.list(namespace, set -> deployment.equals(owner(set))).stream()
                .map(set -> set.metadata().uid())
                .toList();
        return pods.list(namespace, pod -> {
                    OwnerReference owner = pod.metadata().controller();
                    return owner != null && uids.contains(owner.uid());
                })
                .isEmpty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.util.Map;

/** Changes the size of ReplicaSets (upstream: {@code scaleReplicaSet}). Thread-safe; blocks while it writes. */
final class ReplicaSetScaler {

    private final DeploymentWrites writes;
    private final EventRecorder events;

    ReplicaSetScaler(DeploymentWrites writes, EventRecorder events) {
        this.writes = writes;
        this.events = events;
    }

    /** Returns the ReplicaSet with this size, or unchanged if it has this size already. */
    ReplicaSet scale(ReplicaSet set, int size, Deployment deployment) {
        return Rollout.replicas(set) == size ? set : write(set, size, deployment);
    }

    /** Scales as {@link #scale} does, and writes the recorded sizes of the deployment even if only they differ. */
    void scaleAndRecordSizes(ReplicaSet set, int size, Deployment deployment) {
        boolean isRecorded = set.metadata()
                .annotations()
                .equals(Revisions.withSizes(set.metadata().annotations(), deployment));
        if (Rollout.replicas(set) != size || !isRecorded) {
            write(set, size, deployment);
        }
    }

    private ReplicaSet write(ReplicaSet set, int size, Deployment deployment) {
        int before = Rollout.replicas(set);
        Map<String, String> annotations = Revisions.withSizes(set.metadata().annotations(), deployment);
        ReplicaSet written = writes.update(
                deployment,
                set.withMetadata(ObjectMetaBuilder.builder(set.metadata())
                                .annotations(annotations)
                                .build())
                        .withSpec(ReplicaSetSpecBuilder.builder(set.spec())
                                .replicas(size)
                                .build()));
        if (before != size) {
            scaled(deployment, set.metadata().name(), before, size);
        }
        return written;
    }

    /** Records the event of a change of size. */
    void scaled(Deployment deployment, String set, int before, int size) {
        events.event(
                ResourceTypes.DEPLOYMENTS,
                deployment,
                EventType.NORMAL,
                "ScalingReplicaSet",
                "Scaled " + (before < size ? "up" : "down") + " replica set " + set + " from " + before + " to "
                        + size);
    }
}

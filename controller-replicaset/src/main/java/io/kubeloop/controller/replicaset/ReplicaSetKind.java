/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpec;
import io.kubeloop.api.apps.ReplicaSetStatus;

/** ReplicaSets of {@code apps/v1}. */
final class ReplicaSetKind implements ReplicaKind<ReplicaSet> {

    @Override
    public ResourceType<ReplicaSet> type() {
        return ResourceTypes.REPLICA_SETS;
    }

    @Override
    public String controllerName() {
        return "replicaset";
    }

    @Override
    public String component() {
        return "replicaset-controller";
    }

    @Override
    public boolean countsTerminating() {
        return true;
    }

    @Override
    public ReplicaView<ReplicaSet> view(ReplicaSet object) {
        ReplicaSetSpec spec = object.spec();
        Integer replicas = spec.replicas();
        return new ReplicaView<>(
                object,
                replicas == null ? 1 : replicas,
                spec.minReadySeconds(),
                spec.selector(),
                spec.template(),
                object.status());
    }

    @Override
    public ReplicaSet withStatus(ReplicaSet object, ReplicaSetStatus status) {
        return object.withStatus(status);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.core.ReplicationControllerSpec;
import io.kubeloop.api.core.ReplicationControllerStatus;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectorBuilder;

/**
 * ReplicationControllers of {@code v1} (upstream: {@code pkg/controller/replication/conversion.go}).
 *
 * <p>Only the fields that the controller reads are converted, and only the status is converted back. All other fields
 * of the stored object are written unchanged.
 */
final class ReplicationControllerKind implements ReplicaKind<ReplicationController> {

    @Override
    public ResourceType<ReplicationController> type() {
        return ResourceTypes.REPLICATION_CONTROLLERS;
    }

    @Override
    public String controllerName() {
        return "replicationcontroller";
    }

    @Override
    public String queueName() {
        return "replicationmanager";
    }

    @Override
    public String component() {
        return "replication-controller";
    }

    @Override
    public boolean countsTerminating() {
        return false;
    }

    @Override
    public ReplicaView<ReplicationController> view(ReplicationController object) {
        ReplicationControllerSpec spec = object.spec();
        Integer replicas = spec.replicas();
        PodTemplateSpec template = spec.template();
        // The server fills an empty selector from the template. A selector that is still empty must not select
        // everything.
        LabelSelector selector = spec.selector().isEmpty()
                ? null
                : LabelSelectorBuilder.builder().matchLabels(spec.selector()).build();
        return new ReplicaView<>(
                object,
                replicas == null ? 1 : replicas,
                spec.minReadySeconds(),
                selector,
                template == null ? PodTemplateSpec.EMPTY : template,
                toReplicaSet(object.status()));
    }

    @Override
    public ReplicationController withStatus(ReplicationController object, ReplicaSetStatus status) {
        return object.withStatus(fromReplicaSet(status));
    }

    private static ReplicaSetStatus toReplicaSet(ReplicationControllerStatus status) {
        return new ReplicaSetStatus(
                status.replicas(),
                status.fullyLabeledReplicas(),
                status.readyReplicas(),
                status.availableReplicas(),
                null,
                status.observedGeneration(),
                status.conditions(),
                status.unknownFields());
    }

    private static ReplicationControllerStatus fromReplicaSet(ReplicaSetStatus status) {
        return new ReplicationControllerStatus(
                status.replicas(),
                status.fullyLabeledReplicas(),
                status.readyReplicas(),
                status.availableReplicas(),
                status.observedGeneration(),
                status.conditions(),
                status.unknownFields());
    }
}

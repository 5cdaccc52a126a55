/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.policy.PodDisruptionBudget;
import io.kubeloop.cache.Lister;

/** The caches that a sync reads. */
record DisruptionCaches(
        Lister<PodDisruptionBudget> budgets,
        Lister<Pod> pods,
        Lister<ReplicationController> replicationControllers,
        Lister<ReplicaSet> replicaSets,
        Lister<Deployment> deployments,
        Lister<StatefulSet> statefulSets) {}

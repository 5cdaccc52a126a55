/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that keeps the wanted number of pods running, for ReplicaSets and for ReplicationControllers
 * (upstream: {@code pkg/controller/replicaset} and {@code pkg/controller/replication}).
 */
module io.kubeloop.controller.replicaset {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.replicaset;
}

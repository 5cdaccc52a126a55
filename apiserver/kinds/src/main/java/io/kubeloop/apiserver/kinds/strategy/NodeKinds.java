/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.node.NodeRules;
import io.kubeloop.apiserver.kinds.validation.node.RuntimeRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Nodes, and the classes and leases that pods and node agents use (upstream: {@code pkg/registry/core/node} and
 * others).
 */
final class NodeKinds {

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "nodes",
            KindStrategy.of("core.v1.Node")
                    .storedAs("minions")
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .statusUpdates(METADATA_CHANGE, CHANGE)
                    .with(Trait.STATUS_FROM_START)
                    .selectable("spec.unschedulable")
                    .onCreate(NodeKinds::withoutConfiguration)
                    .onUpdate((node, old, part) -> withoutConfiguration(node))
                    .check(node -> NodeRules.check(node.object(), node.errors()))
                    .checkUpdate((node, old, part) -> NodeRules.checkUpdate(node.object(), old.object(), node.errors()))
                    .warnings((node, old, part) -> part == Part.MAIN ? NodeRules.warnings(node) : List.of()),
            "runtimeclasses.node.k8s.io",
            KindStrategy.of("node.v1.RuntimeClass")
                    .with(Trait.PLAIN_FINALIZERS)
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .with(Trait.CREATES_ON_UPDATE, Trait.REQUIRES_VERSION_ON_UPDATE)
                    .check(RuntimeRules::runtimeClass)
                    .checkUpdate((runtime, old, part) -> RuntimeRules.runtimeClassUpdate(runtime, old))
                    .warnings((runtime, old, part) -> RuntimeRules.runtimeClassWarnings(runtime)),
            "priorityclasses.scheduling.k8s.io",
            KindStrategy.of("scheduling.v1.PriorityClass")
                    .with(Trait.FIXED_GENERATION)
                    .checkCreate(RuntimeRules::priorityClass)
                    .checkUpdate((priority, old, part) -> RuntimeRules.priorityClassUpdate(priority, old)),
            "leases.coordination.k8s.io",
            KindStrategy.of("coordination.v1.Lease")
                    .with(Trait.PLAIN_FINALIZERS, Trait.CREATES_ON_UPDATE, Trait.REQUIRES_VERSION_ON_UPDATE)
                    .check(NodeKinds::lease));

    private NodeKinds() {}

    /** Removes the obsolete configuration of kubelets through the API. */
    private static JsonObject withoutConfiguration(JsonObject node) {
        return node.without(List.of("spec", "configSource")).without(List.of("status", "config"));
    }

    private static void lease(FieldCursor lease) {
        FieldCursor spec = lease.at("spec");
        FieldCursor duration = spec.at("leaseDurationSeconds");
        if (duration.isSet() && duration.number() <= 0) {
            duration.invalid("must be greater than 0");
        }
        spec.at("leaseTransitions").nonNegative();
    }
}

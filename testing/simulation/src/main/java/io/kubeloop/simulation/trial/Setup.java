/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.simulation.Invariant;
import io.kubeloop.simulation.Subject;
import io.kubeloop.simulation.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What all runs of a simulation have in common.
 *
 * @param subject the operator
 * @param definitions manifests that exist before the operator starts
 * @param workload the steps
 * @param invariants the conditions, by name
 * @param cluster changes the settings of the control plane
 * @param calm how long an operator that is not counted must be silent until it counts as idle
 */
public record Setup(
        Subject subject,
        List<String> definitions,
        Workload workload,
        Map<String, Invariant> invariants,
        UnaryOperator<ControlPlane.Builder> cluster,
        Duration calm) {

    /** Copies the collections. */
    public Setup {
        definitions = List.copyOf(definitions);
        invariants = Map.copyOf(invariants);
    }

    /** Returns this setup with another workload. */
    public Setup with(Workload other) {
        return new Setup(subject, definitions, other, invariants, cluster, calm);
    }
}

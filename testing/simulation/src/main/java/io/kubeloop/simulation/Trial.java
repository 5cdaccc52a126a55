/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One trial of a simulation that has not run yet. As thread-safe as the simulation: its trials run one after the other.
 *
 * @param name its name, by which {@link Simulation#only} runs it again
 * @param kind its kind
 * @param run runs it, with its repetition if it fails, and returns the failure; empty if it passes. Blocks
 */
public record Trial(String name, Perturbation kind, Supplier<Optional<Finding>> run) {}

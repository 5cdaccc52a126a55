/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The simulated insides of containers: logs, commands with files in memory, and ports.
 *
 * <p>Start at {@link io.kubeloop.controlplane.containers.SimulatedContainers}, with which a test scripts them. The
 * threads of the HTTP front end run commands and scripted functions.
 */
@NullMarked
package io.kubeloop.controlplane.containers;

import org.jspecify.annotations.NullMarked;

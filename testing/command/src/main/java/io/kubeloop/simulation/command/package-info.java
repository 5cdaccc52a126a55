/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command that proves an operator of any language.
 *
 * <p>Entry type: {@link io.kubeloop.simulation.command.SimulateCommand}. Threading: the command runs on the main
 * thread.
 */
@NullMarked
package io.kubeloop.simulation.command;

import org.jspecify.annotations.NullMarked;

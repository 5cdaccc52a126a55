/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code controller-manager}: its flags, clients and pages.
 *
 * <p>Entry type: {@link io.kubeloop.manager.command.ControllerManagerCommand}. Threading: the main thread reads flags
 * and
 * waits.
 */
@NullMarked
package io.kubeloop.manager.command;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What all commands share: the tables of their options, failures with their exit codes, the shutdown signal, and the
 * version.
 *
 * <p>Entry type: {@link io.kubeloop.command.Command}. Threading: all types but {@code ShutdownSignal} are
 * confined to the main thread or hold no state.
 */
@NullMarked
package io.kubeloop.command;

import org.jspecify.annotations.NullMarked;

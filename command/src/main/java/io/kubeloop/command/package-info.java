/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Parts of all commands: failures with their exit codes, common options, the shutdown signal, and the version.
 *
 * <p>Entry type: {@link io.kubeloop.command.ShutdownSignal}. Threading: all types but {@code ShutdownSignal} are
 * confined to the main thread or hold no state.
 */
@NullMarked
package io.kubeloop.command;

import org.jspecify.annotations.NullMarked;

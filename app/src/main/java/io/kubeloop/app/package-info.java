/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command line of Kubeloop. {@link io.kubeloop.app.Main} reads the arguments and runs one command.
 *
 * <p>Each command stands beside the library that it runs. Threading: a command runs on the main thread, starts its
 * parts, waits for the shutdown signal, and stops the parts in reverse order.
 */
@NullMarked
package io.kubeloop.app;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands {@code apiserver}, {@code kubelet} and {@code kubeconfig}, and the options and files that the demo
 * shares with them.
 *
 * <p>Entry type: {@link io.kubeloop.apiserver.command.ApiServerCommand}. Threading: everything here is confined to the
 * main thread.
 */
@NullMarked
package io.kubeloop.apiserver.command;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The way to the API server of a command: its configuration, and the lifetime of resolved names.
 *
 * <p>Entry type: {@link io.kubeloop.app.clients.ServerConnection}. Threading: the classes hold no state.
 */
@NullMarked
package io.kubeloop.app.clients;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who may read the pages of a controller manager over HTTPS: the serving certificate, delegated authentication and
 * authorization.
 *
 * <p>Entry type: {@link io.kubeloop.manager.command.serving.DelegatedGate}. Threading: all types are thread-safe;
 * checks run on the
 * threads of the HTTP server and may block on the API server.
 */
@NullMarked
package io.kubeloop.manager.command.serving;

import org.jspecify.annotations.NullMarked;

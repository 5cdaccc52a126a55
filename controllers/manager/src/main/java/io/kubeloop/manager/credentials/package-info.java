/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tokens of service accounts, which are renewed before they expire.
 *
 * <p>Entry type: {@link io.kubeloop.manager.credentials.RenewingTransport}. Threading: transports are thread-safe; the
 * thread of a request renews the token.
 */
@NullMarked
package io.kubeloop.manager.credentials;

import org.jspecify.annotations.NullMarked;

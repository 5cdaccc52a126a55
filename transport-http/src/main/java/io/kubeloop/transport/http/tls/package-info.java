/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TLS: the certificates to trust, the certificate of the client, and the parsing of both from PEM.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.tls.TlsSetup}.
 *
 * <p>Threading: everything is immutable.
 */
@NullMarked
package io.kubeloop.transport.http.tls;

import org.jspecify.annotations.NullMarked;

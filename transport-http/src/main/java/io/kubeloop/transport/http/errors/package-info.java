/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The translation of I/O errors to {@link io.kubeloop.api.client.TransportException}s: their kind, and a message that a
 * reader can act on. Stateless.
 */
@NullMarked
package io.kubeloop.transport.http.errors;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The sources of the {@code Authorization} header: a token, a file with a token, a password, or an exec plugin.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.credentials.Credentials}, which chooses the source.
 *
 * <p>Threading: sources are thread-safe. A source may block its caller while it reads a file or runs a plugin.
 */
@NullMarked
package io.kubeloop.transport.http.credentials;

import org.jspecify.annotations.NullMarked;

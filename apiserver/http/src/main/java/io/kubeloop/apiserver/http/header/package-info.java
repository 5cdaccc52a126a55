/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Single headers and parameters of a request or response: host, user agent, audit id, impersonated user, timeout,
 * warnings.
 *
 * <p>Threading: everything is stateless or thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.http.header;

import org.jspecify.annotations.NullMarked;

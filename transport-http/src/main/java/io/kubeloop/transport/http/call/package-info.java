/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The sending of requests: attempts, connections, and the bodies of responses.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.call.HttpCaller}, then {@code HttpExchange}, one request with all its
 * attempts.
 *
 * <p>Threading: every request runs on the thread of its caller. {@link io.kubeloop.transport.http.call.OpenCalls} is
 * how another thread ends it.
 */
@NullMarked
package io.kubeloop.transport.http.call;

import org.jspecify.annotations.NullMarked;

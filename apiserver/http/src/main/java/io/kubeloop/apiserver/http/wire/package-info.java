/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A small HTTP/1.1 server on blocking sockets, with limits on everything that a client can occupy: connections,
 * header bytes, and the time for headers, bodies, writes and idle connections.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.wire.HttpListener}. One thread accepts connections, and one
 * thread serves each connection. All threads have ended when {@link
 * io.kubeloop.apiserver.http.wire.HttpListener#close} has returned, unless a request outlasts its time
 * limits.
 */
@NullMarked
package io.kubeloop.apiserver.http.wire;

import org.jspecify.annotations.NullMarked;

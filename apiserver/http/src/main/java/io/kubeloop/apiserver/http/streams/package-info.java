/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Several streams of bytes on one upgraded connection, for commands in containers and connections into pods: the
 * channels of a WebSocket, SPDY/3.1, and SPDY in a WebSocket.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.streams.CommandConnection}. One thread reads the frames of the client
 * and fills bounded buffers; any thread writes. A reader of a buffer blocks until bytes arrive, and the thread that
 * reads frames blocks while a buffer is full.
 */
@NullMarked
package io.kubeloop.apiserver.http.streams;

import org.jspecify.annotations.NullMarked;

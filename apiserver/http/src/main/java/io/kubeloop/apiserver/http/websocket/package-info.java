/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The server's side of a WebSocket (RFC 6455): the handshake and the frames, as far as a watch needs them.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.websocket.WebSocketHandshake}. Two threads use a connection: one reads
 * with {@link io.kubeloop.apiserver.http.websocket.WebSocketInput}, and any thread writes with {@link
 * io.kubeloop.apiserver.http.websocket.WebSocketOutput}.
 */
@NullMarked
package io.kubeloop.apiserver.http.websocket;

import org.jspecify.annotations.NullMarked;

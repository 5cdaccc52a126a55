/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The ways in which a watch reaches its client: the chunks of an HTTP response or the messages of a WebSocket.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.watch.WatchOutput}. The thread of the connection writes; {@link
 * io.kubeloop.apiserver.http.watch.OpenWatches} checks idle watches on a thread of its own.
 */
@NullMarked
package io.kubeloop.apiserver.http.watch;

import org.jspecify.annotations.NullMarked;

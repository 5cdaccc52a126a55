/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The way to the server: its address, the proxy before it, and the sockets.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.route.ProxySetup}, which chooses the proxy and the kind of socket.
 *
 * <p>Threading: everything is immutable, apart from the sockets; these are as thread-safe as those of the JDK.
 */
@NullMarked
package io.kubeloop.transport.http.route;

import org.jspecify.annotations.NullMarked;

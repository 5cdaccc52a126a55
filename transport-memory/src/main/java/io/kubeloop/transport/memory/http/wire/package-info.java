/**
 * HTTP/1.1 on blocking sockets, as much of it as an API server needs, with a bound on everything that a client could make it
 * hold: connections, bytes of headers, and the time for headers, body, writing and silence.
 *
 * <p>Threading: one thread accepts, one serves each connection for as long as it lasts. All are gone when
 * {@link io.kubeloop.transport.memory.http.wire.HttpListener#close} has returned.
 */
@NullMarked
package io.kubeloop.transport.memory.http.wire;

import org.jspecify.annotations.NullMarked;

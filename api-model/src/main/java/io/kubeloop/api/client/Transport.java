/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

/**
 * Sends requests to an API server and returns responses as bytes. Implement it to run this library over another HTTP
 * client or protocol.
 *
 * <p>Implementations are thread-safe and do not limit the number of open streams. {@code TransportContractTest} checks
 * them.
 *
 * <p><em>Blocking</em>: both calls block the calling thread. They wait for the rate limit and for credentials, if the
 * implementation uses these, then for a connection, and then for the headers of the response. The wait ends at the
 * request's {@link ApiRequest#deadline()}; without one, at the implementation's default. Reading the body or the stream
 * blocks separately. An interrupt ends the wait with a {@link TransportException} of kind {@code CLOSED}, and the
 * thread stays interrupted. {@link #close()} ends the waits of all threads in the same way. The server may have
 * executed the request nevertheless.
 */
public interface Transport extends AutoCloseable {

    /**
     * Sends a request and returns the response, whatever its status code. Blocks until the headers have arrived.
     *
     * @return the response; the caller must close it
     * @throws TransportException if no response arrived
     */
    ApiResponse execute(ApiRequest request);

    /**
     * Sends a request whose response is a stream of frames. Blocks until the headers have arrived.
     *
     * @return the stream; the caller must close it
     * @throws TransportException if no response arrived
     */
    ApiStream stream(ApiRequest request);

    /**
     * Ends all calls and streams, and frees threads and connections. An implementation with threads may block until
     * they have ended, and must document the bound. Repeated calls have no effect.
     */
    @Override
    void close();
}

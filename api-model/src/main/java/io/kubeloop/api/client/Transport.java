package io.kubeloop.api.client;

/**
 * Carries requests to an API server: verbs and bytes, nothing typed. The smallest thing to implement in order to run every
 * part of this library over another wire.
 *
 * <p>Implementations are thread-safe, do not limit how many streams are open at once, and pass
 * {@code TransportContractTest}.
 */
public interface Transport extends AutoCloseable {

    /**
     * Sends a request and returns the answer, whatever its status code. Blocks until the headers have arrived.
     *
     * @throws TransportException if no answer arrived
     */
    ApiResponse execute(ApiRequest request);

    /**
     * Sends a request whose answer is a stream of frames. Blocks until the headers have arrived.
     *
     * @throws TransportException if no answer arrived
     */
    ApiStream stream(ApiRequest request);

    /** Ends every open stream and frees threads and connections; safe to call twice. */
    @Override
    void close();
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import java.util.function.Function;

/**
 * Receives each request for a resource before the server executes it, in the process and over HTTP. It may change the
 * request, answer it itself, or change the response. Must be thread-safe; runs on the thread of the request.
 */
@FunctionalInterface
public interface RequestFilter {

    /** Passes every request on. */
    RequestFilter NONE = (request, server) -> server.apply(request);

    /**
     * Returns the response.
     *
     * @param server executes a request
     * @throws LostResponseException if the client should lose its connection instead
     */
    ServerResponse handle(ApiRequest request, Function<ApiRequest, ServerResponse> server);
}

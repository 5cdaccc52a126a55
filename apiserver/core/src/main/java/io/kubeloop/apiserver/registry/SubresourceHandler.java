/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;

/**
 * Executes the requests for one subresource that is neither a part of the object nor its scale. Must be thread-safe.
 */
@FunctionalInterface
public interface SubresourceHandler {

    /**
     * Executes a request whose method the subresource supports.
     *
     * @throws io.kubeloop.apiserver.rest.StatusException if the request is rejected
     */
    ServerResponse handle(ResourceStore store, RequestInfo info, Query query, ApiRequest request);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;

/**
 * Reads the objects that a request is about. Thread-safe.
 *
 * @param server executes the reads
 */
record ObjectReader(ResourceRoute.RequestHandler server) {

    /**
     * Returns an object.
     *
     * @throws StatusException the server's failure, such as 404
     */
    JsonObject require(String path, UserInfo user) {
        ServerResponse response = server.handle(ApiRequest.of("GET", path, Map.of(), null), user);
        JsonObject read = JsonObject.parse(((ServerResponse.Document) response).bytes());
        if (((ServerResponse.Document) response).code() != 200) {
            throw StatusException.of(read);
        }
        return read;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An API group whose documents are computed for each request, not stored (upstream: a server behind the aggregation
 * layer). It can only be read. Discovery lists the group and its versions, without resources.
 *
 * <p>Implementations are thread-safe and do not block.
 */
public interface ComputedApi {

    /** Returns the name of the group, such as {@code metrics.k8s.io}; no other group has it. */
    String group();

    /** Returns the versions, the preferred one first; at least one. */
    List<String> versions();

    /** Returns the document at the path of a request, which is below the group; null if there is none. */
    @Nullable
    JsonObject read(ApiRequest request);

    /**
     * Returns the document at the path of a request.
     *
     * @throws StatusException 404 if there is none, 405 if the request does not read
     */
    default JsonObject require(ApiRequest request) {
        if (!request.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
        JsonObject document = read(request);
        if (document == null) {
            throw StatusException.noSuchPath();
        }
        return document;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a path, in a form that does not depend on the OpenAPI version. Immutable.
 *
 * @param path the path, with parameters in braces
 * @param method the HTTP method in lower case
 * @param id the operation ID: a verb, the group and version, and the resource
 * @param tag the group and version
 * @param action the verb of {@code x-kubernetes-action}; empty for documents such as discovery
 * @param kind the members of {@code x-kubernetes-group-version-kind}; null for none
 * @param parameters the parameters of the path and the query, by name
 * @param exchange the bodies of request and response
 */
record Operation(
        String path,
        String method,
        String id,
        String tag,
        String action,
        @Nullable JsonObject kind,
        List<Parameter> parameters,
        Exchange exchange) {

    /** The definition name of a plain-text body. */
    static final String TEXT = "string";

    Operation {
        parameters = List.copyOf(parameters);
    }

    /**
     * A parameter.
     *
     * @param name its name
     * @param inPath whether it is a path parameter, which is required, and not a query parameter
     * @param type its OpenAPI type
     */
    record Parameter(String name, boolean inPath, String type) {}

    /**
     * The bodies of an operation.
     *
     * @param request the name of the definition of the request body; empty for none
     * @param required whether the request body is required
     * @param consumes the media types of the request body
     * @param codes the status codes of success
     * @param response the name of the definition of the response body, or {@link #TEXT}
     * @param produces the media types of the response body
     */
    record Exchange(
            String request,
            boolean required,
            List<String> consumes,
            List<String> codes,
            String response,
            List<String> produces) {

        Exchange {
            consumes = List.copyOf(consumes);
            codes = List.copyOf(codes);
            produces = List.copyOf(produces);
        }
    }
}

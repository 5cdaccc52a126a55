/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.registry.PublicDocument;
import io.kubeloop.apiserver.rest.StatusException;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves the documents of a server outside of its resources, such as the configuration of the issuer of tokens
 * (upstream: {@code pkg/routes/openidmetadata.go}). Thread-safe.
 */
final class DocumentRoute {

    private final Function<String, Map<String, Supplier<PublicDocument>>> documents;
    private final String scheme;

    /**
     * Creates the route.
     *
     * @param documents returns the documents by path for the address of the server; must be thread-safe
     */
    DocumentRoute(Function<String, Map<String, Supplier<PublicDocument>>> documents, String scheme) {
        this.documents = documents;
        this.scheme = scheme;
    }

    /** Serves the document of a path, and returns false if there is none. */
    boolean serve(HttpApiExchange exchange, String path) throws IOException {
        Supplier<PublicDocument> found = of(exchange).get(path);
        if (found == null) {
            return false;
        }
        if (!exchange.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
        PublicDocument document = found.get();
        exchange.cachedFor(document.maxAgeSeconds());
        exchange.reply(200, document.contentType(), document.content());
        return true;
    }

    /** Returns the paths of all documents. */
    Set<String> paths(HttpApiExchange exchange) {
        return of(exchange).keySet();
    }

    /** The address of the server is the one that the client uses. */
    private Map<String, Supplier<PublicDocument>> of(HttpApiExchange exchange) {
        return documents.apply(scheme + "://" + exchange.header("Host"));
    }
}

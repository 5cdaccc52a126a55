/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.negotiation.MediaRange;
import io.kubeloop.apiserver.openapi.OpenApiDocuments;
import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the OpenAPI documents. Clients keep a document by its hash, which is its {@code ETag} and a part of its
 * address in the index (upstream: {@code kube-openapi/pkg/handler} and {@code handler3}). Thread-safe.
 */
final class OpenApiRoute {

    private static final String VERSION_2 = "/openapi/v2";
    private static final String INDEX = "/openapi/v3";
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /** Clients send this name, which is no media type, and reject it in an answer. */
    private static final String PROTOBUF_OF_CLIENTS = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    private final OpenApiDocuments documents;
    private final Clock clock;

    /**
     * Creates the route.
     *
     * @param apis returns the group versions of other servers, whose documents are merged
     * @param clock for the expiry of documents that never change
     */
    OpenApiRoute(ResourceRegistry registry, Supplier<AggregatedApis> apis, Clock clock) {
        documents = new OpenApiDocuments(registry, apis, ServerVersion.MAJOR + "." + ServerVersion.MINOR);
        this.clock = clock;
    }

    /** Returns whether a path is that of a document, or of none that could be. */
    static boolean isBelow(String path) {
        return path.equals(VERSION_2) || path.equals(INDEX) || path.startsWith(INDEX + "/");
    }

    void serve(HttpApiExchange exchange, String path) throws IOException {
        if (path.equals(INDEX)) {
            // Upstream's aggregator sends the index without a type of its own.
            exchange.reply(200, "text/plain; charset=utf-8", documents.index().bytes());
        } else if (path.equals(VERSION_2)) {
            version2(exchange);
        } else {
            version3(exchange, path.substring(INDEX.length() + 1));
        }
    }

    private void version2(HttpApiExchange exchange) throws IOException {
        String type = accepted(exchange.accept(), List.of(JSON, PROTOBUF, PROTOBUF_OF_CLIENTS));
        if (type == null) {
            exchange.replyNothing(406);
        } else if (!isCurrent(exchange, documents.version2Tag())) {
            boolean isJson = type.equals(JSON);
            OpenApiDocuments.Document document = isJson ? documents.version2() : documents.version2Protobuf();
            exchange.reply(200, isJson ? JSON : PROTOBUF, document.bytes());
        }
    }

    private void version3(HttpApiExchange exchange, String path) throws IOException {
        String tag = documents.tag(path);
        if (tag == null) {
            exchange.replyNothing(404);
            return;
        }
        if (accepted(exchange.accept(), List.of(JSON)) == null) {
            exchange.replyNothing(406);
            return;
        }
        String hash = exchange.query().getOrDefault("hash", "");
        if (!hash.isEmpty() && !hash.equals(tag)) {
            exchange.addHeader("Location", OpenApiDocuments.url(path, tag));
            exchange.replyNothing(301);
            return;
        }
        if (isCurrent(exchange, tag)) {
            return;
        }
        if (!hash.isEmpty()) {
            exchange.cachedForever(DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    clock.instant().atOffset(ZoneOffset.UTC).plusYears(1)));
        }
        OpenApiDocuments.Document document = documents.document(path);
        if (document == null) {
            exchange.replyNothing(404);
        } else {
            exchange.reply(200, JSON, document.bytes());
        }
    }

    /** Responses 304 if the client has the document already, and returns whether it has. */
    private static boolean isCurrent(HttpApiExchange exchange, String tag) throws IOException {
        String quoted = "\"" + tag + "\"";
        exchange.tagged(quoted);
        if (!exchange.header("If-None-Match").equals(quoted)) {
            return false;
        }
        exchange.replyNothing(304);
        return true;
    }

    /** Returns the first media type that a client accepts; null if there is none. */
    private static @Nullable String accepted(String accept, List<String> types) {
        for (MediaRange range : MediaRange.parseAll(accept.isEmpty() ? "*/*" : accept)) {
            for (String type : types) {
                if (range.includes(type)) {
                    return type;
                }
            }
        }
        return null;
    }
}

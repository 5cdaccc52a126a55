/**
 * The HTTP front end of an API server, for kubectl and other clients, on the small HTTP server of {@code
 * http.wire}.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.HttpApiServer}. The front end serves discovery, OpenAPI,
 * tables and health checks itself. It executes requests for resources through a {@link
 * io.kubeloop.api.client.Transport}. One thread serves each connection, including its watches; one more thread
 * sends heartbeats to idle watches.
 */
@NullMarked
package io.kubeloop.apiserver.http;

import org.jspecify.annotations.NullMarked;

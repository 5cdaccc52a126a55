/**
 * The HTTP front end of an API server: what kubectl and any other client speak to, on the small HTTP server of {@code http.wire}.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.http.HttpApiServer}. The HTTP front end knows discovery, OpenAPI, tables and health; all
 * that concerns objects it hands to a {@link io.kubeloop.api.client.Transport}. One thread serves each connection, watches
 * included; one more looks after idle watches.
 */
@NullMarked
package io.kubeloop.transport.memory.http;

import org.jspecify.annotations.NullMarked;

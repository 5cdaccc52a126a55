/**
 * The HTTP face of an API server: what kubectl and any other client speak to, on the JDK's own HTTP server.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.http.HttpFace}. The face knows discovery, OpenAPI, tables and health; all
 * that concerns objects it hands to a {@link io.kubeloop.api.client.Transport}. One thread serves each request, and each
 * watch for as long as it is open.
 */
@NullMarked
package io.kubeloop.transport.memory.http;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HTTP front end of an API server, for kubectl and other clients, on the small HTTP server of {@code
 * wire}.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.HttpApiServer}. The front end serves health checks and tables
 * itself; the {@link io.kubeloop.apiserver.ApiServer} executes requests. One thread serves each connection,
 * including its watches; one more thread looks for idle watches whose client has gone.
 */
@NullMarked
package io.kubeloop.apiserver.http;

import org.jspecify.annotations.NullMarked;

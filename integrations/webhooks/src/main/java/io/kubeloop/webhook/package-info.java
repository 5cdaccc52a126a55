/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The webhooks of an operator: {@link io.kubeloop.webhook.Webhooks} answers reviews with typed handlers, in a test
 * without a port. {@link io.kubeloop.webhook.OperatorServer} serves them over TLS, with health and metrics.
 *
 * <p>Threading: handlers run on the threads of the connections.
 */
@NullMarked
package io.kubeloop.webhook;

import org.jspecify.annotations.NullMarked;

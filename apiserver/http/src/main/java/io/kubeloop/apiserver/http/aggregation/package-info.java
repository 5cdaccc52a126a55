/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Aggregation: API groups that other servers serve, behind services of this server (upstream: {@code kube-aggregator}).
 *
 * <p>{@code Aggregator} follows the objects {@code APIService}. Each of them with a service has a thread, which checks
 * whether its server is available and reads what it serves. Requests run on the threads of their clients.
 */
@NullMarked
package io.kubeloop.apiserver.http.aggregation;

import org.jspecify.annotations.NullMarked;

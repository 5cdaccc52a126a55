/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The timing of requests: the client-side rate limit, the delays between attempts, and deadlines.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.pacing.RetryPolicy}. All clocks and all waiting come from
 * {@link io.kubeloop.transport.http.pacing.CallTime}.
 *
 * <p>Threading: everything is thread-safe.
 */
@NullMarked
package io.kubeloop.transport.http.pacing;

import org.jspecify.annotations.NullMarked;

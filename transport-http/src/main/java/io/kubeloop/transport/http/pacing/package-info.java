/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The timing of requests: the client-side rate limit, the delays between attempts, and deadlines.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.pacing.RetryPolicy}. All clocks come from a {@link
 * io.kubeloop.runtime.Scheduler}.
 *
 * <p>Threading: everything is thread-safe.
 */
@NullMarked
package io.kubeloop.transport.http.pacing;

import org.jspecify.annotations.NullMarked;

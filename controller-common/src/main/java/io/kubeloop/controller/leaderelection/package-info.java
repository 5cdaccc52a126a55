/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Leader election among several processes, by a lock object on the API server (upstream:
 * {@code client-go/tools/leaderelection}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.leaderelection.LeaderElector}. The leader renews a lease. Another
 * candidate may acquire the lease once it has seen no change for the lease's whole duration. Only the local monotonic
 * clock decides, never a time that another machine wrote.
 *
 * <p>Promised: a leader stops leading, by its own clock, before another candidate can acquire the lease, as long as
 * their clocks run at about the same speed. Not promised: a request that was sent before may reach the server
 * afterwards. {@link io.kubeloop.controller.leaderelection.FencedTransport} rejects the requests that were not sent.
 *
 * <p>Threading: elector, lock and transport are thread-safe.
 */
@NullMarked
package io.kubeloop.controller.leaderelection;

import org.jspecify.annotations.NullMarked;

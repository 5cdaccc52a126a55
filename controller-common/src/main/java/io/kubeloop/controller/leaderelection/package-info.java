/**
 * One leader among several candidates, by a lock object on the API server (upstream:
 * {@code client-go/tools/leaderelection}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.leaderelection.LeaderElector}. A leader renews a lease; the others watch the
 * clock: who has not seen the lease change for as long as it lasts may take it. Only the local monotonic clock decides,
 * never a time that another machine wrote.
 *
 * <p>What is promised: a leader stops leading, by its own clock, before anybody else can have waited long enough to take the
 * lease, as long as the clocks run at about the same speed. What is not: a request that was sent before may reach the
 * server after. {@link io.kubeloop.controller.leaderelection.LeaderTransport} keeps others from being sent.
 */
@NullMarked
package io.kubeloop.controller.leaderelection;

import org.jspecify.annotations.NullMarked;

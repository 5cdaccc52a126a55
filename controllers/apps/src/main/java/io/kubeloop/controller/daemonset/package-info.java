/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of DaemonSets, which runs one pod on each fitting node.
 *
 * <p>Entry type: {@link io.kubeloop.controller.daemonset.DaemonSetController}. In the order of an event: handlers and
 * {@code NodeChanges} queue keys, {@code DaemonSetSync} syncs one set, {@code DaemonHistory} finds the revision of its
 * template, {@code NodeEligibility} decides which nodes fit, {@code NodePods} and {@code RollingReplacement} plan
 * creations and deletions, {@code DaemonPodControl} carries a {@code DaemonPodPlan} out, and {@code DaemonSetStatuses}
 * computes the status.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers; one worker at a time syncs a key. A sync
 * spreads its writes over several threads and waits for them. They share the queues, the backoff of failed pods and the
 * barrier, which are thread-safe. All other types are immutable or stateless.
 */
@NullMarked
package io.kubeloop.controller.daemonset;

import org.jspecify.annotations.NullMarked;

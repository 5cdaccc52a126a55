/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs the controllers of a process: leader election, write fence, events, informers, workers and a graceful shutdown.
 *
 * <p>Entry type: {@link io.kubeloop.controller.runner.ControllerRunner}. Every part that it owns is public and
 * replaceable.
 *
 * <p>Threading: a runner is thread-safe. Controllers start and stop on the threads of the leader election.
 */
@NullMarked
package io.kubeloop.controller.runner;

import org.jspecify.annotations.NullMarked;

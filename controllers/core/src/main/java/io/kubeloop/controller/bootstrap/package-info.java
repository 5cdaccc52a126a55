/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Two controllers of bootstrap tokens, which are secrets in {@code kube-system}: one signs the config map {@code
 * cluster-info}, so a new node can trust it, and one deletes expired tokens.
 *
 * <p>Entry types: {@link io.kubeloop.controller.bootstrap.BootstrapSignerController} and {@link
 * io.kubeloop.controller.bootstrap.TokenCleanerController}. {@code BootstrapToken} reads a secret, and {@code
 * ClusterInfoSignatures} computes the signatures.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on one worker of each controller. They share the queues,
 * which are thread-safe. All other types are immutable.
 */
@NullMarked
package io.kubeloop.controller.bootstrap;

import org.jspecify.annotations.NullMarked;

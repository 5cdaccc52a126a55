/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that writes the annotation {@code node.alpha.kubernetes.io/ttl} of nodes: the larger the cluster, the
 * longer kubelets may cache secrets and config maps.
 *
 * <p>Entry type: {@link io.kubeloop.controller.ttl.TtlController}. {@code ClusterSize} derives the time from the number
 * of nodes.
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers. {@code ClusterSize} is written by the
 * handler and read by the workers.
 */
@NullMarked
package io.kubeloop.controller.ttl;

import org.jspecify.annotations.NullMarked;

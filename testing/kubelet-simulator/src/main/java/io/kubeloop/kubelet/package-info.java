/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A simulated scheduler and kubelet: pods are bound to simulated nodes, get addresses, become ready and end, but no
 * container runs. Controllers can thus be tested without a cluster.
 *
 * <p>Start at {@link io.kubeloop.kubelet.SimulatedKubelet}, which also documents the annotations
 * that control a pod. One thread watches the server, and a few worker threads write; one worker at a time processes
 * a pod.
 */
@NullMarked
package io.kubeloop.kubelet;

import org.jspecify.annotations.NullMarked;

/**
 * A scheduler and a kubelet that run nothing: pods are bound to simulated nodes, get addresses, become ready and end, so that
 * controllers have something to control.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.kubelet.SimulatedKubelet}. One thread follows the server, a few more write;
 * each pod is worked on by one of them at a time. What a pod does can be steered by annotations, see {@link
 * io.kubeloop.transport.memory.kubelet.SimulatedKubelet}.
 */
@NullMarked
package io.kubeloop.transport.memory.kubelet;

import org.jspecify.annotations.NullMarked;

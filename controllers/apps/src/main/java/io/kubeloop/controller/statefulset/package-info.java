/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of StatefulSets, which gives each pod a number, a name and storage that outlive the pod.
 *
 * <p>Entry type: {@link io.kubeloop.controller.statefulset.StatefulSetController}. In the order of an event: a handler
 * queues keys, {@code StatefulSetSync} syncs one set, {@code SetRevisions} finds the revisions of its templates, {@code
 * SetPods} arranges its pods by ordinal, {@code PodSteps} creates, updates and deletes them in order, {@code
 * StatefulPodControl} and {@code VolumeClaims} write, and {@code StatefulSetStatuses} computes the status.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers; one worker at a time syncs a key. A sync
 * of a set with parallel pod management spreads its writes over several threads and waits for them. They share the
 * queue and the barrier, which are thread-safe. All other types are immutable or serve one sync.
 */
@NullMarked
package io.kubeloop.controller.statefulset;

import org.jspecify.annotations.NullMarked;

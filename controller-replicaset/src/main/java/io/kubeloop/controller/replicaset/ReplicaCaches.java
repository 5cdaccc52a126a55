/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.PodCache;

/**
 * The objects that a controller of one kind reads. Every part is thread-safe.
 *
 * @param kind the kind of the owners
 * @param owners the cached owners
 * @param pods the cached pods
 * @param livePods the pods on the server, read where the cache cannot be trusted
 * @param <T> the kind
 */
record ReplicaCaches<T extends KubeObject>(ReplicaKind<T> kind, Lister<T> owners, PodCache pods, LivePods livePods) {}

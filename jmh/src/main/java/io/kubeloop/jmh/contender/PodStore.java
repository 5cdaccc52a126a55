/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import org.jspecify.annotations.Nullable;

/** A store of pods, each in two prepared states. Callers name pods by their index. One thread writes. */
public interface PodStore {

    /** Stores the other state of a pod. */
    void update(int pod, boolean second);

    /** Removes a pod and adds it again. */
    void deleteAndAdd(int pod);

    /** Looks a pod up by its key. */
    @Nullable
    Object get(int pod);

    /** Returns all pods of a pod's namespace. */
    Object inNamespaceOf(int pod);

    /** Returns all pods. */
    Object list();
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.KubeObject;

/**
 * A finalizer that keeps an object in use (upstream: {@code protectionutil}). Immutable.
 *
 * @param finalizer the finalizer
 */
record Protection(String finalizer) {

    /** Returns whether the object is deleted, and only waits for this finalizer or others. */
    boolean holds(KubeObject object) {
        return object.metadata().isDeleting() && Finalizers.has(object, finalizer);
    }

    /** Returns whether the object exists without the finalizer. */
    boolean isMissing(KubeObject object) {
        return !object.metadata().isDeleting() && !Finalizers.has(object, finalizer);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * A finalizer that keeps an object in use (upstream: {@code protectionutil}). Immutable.
 *
 * @param finalizer the finalizer
 */
record Protection(String finalizer) {

    /** Returns whether the object is deleted, and only waits for this finalizer or others. */
    boolean holds(KubeObject object) {
        return object.metadata().isDeleting() && has(object);
    }

    /** Returns whether the object exists without the finalizer. */
    boolean isMissing(KubeObject object) {
        return !object.metadata().isDeleting() && !has(object);
    }

    private boolean has(KubeObject object) {
        return object.metadata().finalizers().contains(finalizer);
    }

    /** Returns metadata with the finalizer at the end. */
    ObjectMeta added(ObjectMeta metadata) {
        List<String> finalizers = new ArrayList<>(metadata.finalizers());
        finalizers.add(finalizer);
        return ObjectMetaBuilder.builder(metadata).finalizers(finalizers).build();
    }

    /** Returns metadata without the finalizer. */
    ObjectMeta removed(ObjectMeta metadata) {
        List<String> finalizers = metadata.finalizers().stream()
                .filter(each -> !each.equals(finalizer))
                .toList();
        return ObjectMetaBuilder.builder(metadata).finalizers(finalizers).build();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import java.util.Objects;

/**
 * Changes objects of any type before they are stored, for example removes fields that the program does not need
 * (upstream: {@code cache.TransformFunc}).
 *
 * <p>A transform must be thread-safe, quick and idempotent. The threads that read from the server call it once for each
 * object that arrives, and may call it again on its own result.
 *
 * <p>The method is generic, so an implementation is a class or a method reference such as
 * {@code Transforms::stripManagedFields}, not a lambda.
 */
@FunctionalInterface
public interface ObjectTransform {

    /**
     * Returns the object to store: the given one, or a copy with the same name and resource version. Must not return
     * null.
     */
    <T extends KubeObject> T apply(T object);

    /** Returns a transform that applies this transform, then the other. */
    default ObjectTransform andThen(ObjectTransform next) {
        Objects.requireNonNull(next, "next");
        ObjectTransform first = this;
        return new ObjectTransform() {
            @Override
            public <T extends KubeObject> T apply(T object) {
                return next.apply(first.apply(object));
            }
        };
    }
}

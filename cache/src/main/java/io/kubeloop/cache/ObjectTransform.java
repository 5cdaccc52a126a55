package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import java.util.Objects;

/**
 * Changes objects of any type before anybody sees them, such as dropping what nobody needs (upstream:
 * {@code cache.TransformFunc}). Thread-safe, quick, and idempotent: it runs on the threads that read from the server, once
 * for each object that arrives, and what it returns may come back to it.
 *
 * <p>Since the method is generic, an implementation is a class or a method reference such as
 * {@code Transforms::stripManagedFields}, not a lambda.
 */
@FunctionalInterface
public interface ObjectTransform {

    /** Returns the object to keep: this one, or a copy with the same name and resource version. Must not return null. */
    <T extends KubeObject> T apply(T object);

    /** Returns the transform that does this, then the other. */
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

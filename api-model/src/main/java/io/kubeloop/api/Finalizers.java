/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.ArrayList;
import java.util.List;

/**
 * Adds and removes one finalizer, and keeps those of other components in their order (upstream: {@code
 * controllerutil.AddFinalizer} and {@code RemoveFinalizer}). Stateless.
 *
 * <pre>{@code
 * client.resource(SITES).edit(key, site -> Finalizers.add(site, "example.com/site"));
 * }</pre>
 *
 * <p>The methods return the same object when nothing changes, so {@code edit} sends nothing then. The server rejects a
 * new finalizer on an object that is being deleted.
 */
public final class Finalizers {

    private Finalizers() {}

    /** Returns whether the object has the finalizer. */
    public static boolean has(KubeObject object, String finalizer) {
        return object.metadata().finalizers().contains(finalizer);
    }

    /**
     * Returns the object with the finalizer, after the existing ones; the same object if it has the finalizer.
     *
     * @param finalizer a qualified name, such as {@code example.com/site}
     */
    public static <T extends KubeObject> T add(T object, String finalizer) {
        if (has(object, finalizer)) {
            return object;
        }
        List<String> finalizers = new ArrayList<>(object.metadata().finalizers());
        finalizers.add(finalizer);
        return with(object, finalizers);
    }

    /** Returns the object without the finalizer; the same object if it has no such finalizer. */
    public static <T extends KubeObject> T remove(T object, String finalizer) {
        if (!has(object, finalizer)) {
            return object;
        }
        return with(
                object,
                object.metadata().finalizers().stream()
                        .filter(other -> !other.equals(finalizer))
                        .toList());
    }

    @SuppressWarnings("unchecked") // withMetadata returns an object of the same class
    private static <T extends KubeObject> T with(T object, List<String> finalizers) {
        return (T) object.withMetadata(ObjectMetaBuilder.builder(object.metadata())
                .finalizers(finalizers)
                .build());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.Lister;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads StorageClasses. Thread-safe; does not block.
 *
 * @param classes the cached classes
 */
record StorageClasses(Lister<GenericObject> classes) {

    static final ResourceType<GenericObject> TYPE =
            ResourceTypes.generic("storage.k8s.io", "v1", "storageclasses", "StorageClass", ResourceType.Scope.CLUSTER);

    private static final List<String> DEFAULT =
            List.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");

    @Nullable
    GenericObject get(String name) {
        return classes.get(new ObjectName("", name));
    }

    /** Returns whether claims of a class wait until a pod uses them. */
    boolean waitsForConsumer(String name) {
        GenericObject found = name.isEmpty() ? null : get(name);
        return found != null && found.string("volumeBindingMode").equals("WaitForFirstConsumer");
    }

    /** Returns the name of the newest default class; null if there is none. O(classes). */
    @Nullable
    String defaultName() {
        return classes.list().stream()
                .filter(found -> DEFAULT.stream()
                        .anyMatch(key ->
                                "true".equals(found.metadata().annotations().get(key))))
                .min(Comparator.comparing(
                                (GenericObject found) -> found.metadata().creationTimestamp(),
                                Comparator.nullsLast(Comparator.reverseOrder()))
                        .thenComparing(found -> found.metadata().name()))
                .map(found -> found.metadata().name())
                .orElse(null);
    }
}

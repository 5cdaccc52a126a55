/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.UnknownFields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Ready-made transforms, for use as method references: {@code informer.setTransform(Transforms::stripManagedFields)}
 * for one informer, or {@code InformerConfig.DEFAULT.withTransform(Transforms::stripManagedFields)} for all informers
 * of a factory.
 *
 * <p>Listers and handlers do not receive the fields that a transform has removed. An object without managed fields can
 * be written back safely: the server keeps its managed fields if an update has none. Without the annotation of {@code
 * kubectl apply}, the next apply merges as if it were the first. Do not remove this annotation from objects that users
 * apply and the program updates.
 */
public final class Transforms {

    private static final String MANAGED_FIELDS = "managedFields";
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private Transforms() {}

    /** Returns the object unchanged. */
    public static <T extends KubeObject> T identity(T object) {
        return object;
    }

    /**
     * Returns the object without {@code metadata.managedFields}, which record the owner of each field. They are often a
     * third of an object or more, and a controller does not need them. O(n) in the unknown metadata.
     */
    public static <T extends KubeObject> T stripManagedFields(T object) {
        UnknownFields fields = object.metadata().unknownFields();
        UnknownFields rest = fields.without(MANAGED_FIELDS);
        return fields.length() == rest.length()
                ? object
                : with(object, ObjectMetaBuilder.builder(object.metadata()).unknownFields(rest));
    }

    /** Returns the object without the annotation in which {@code kubectl apply} keeps a copy of the applied object. */
    public static <T extends KubeObject> T stripLastApplied(T object) {
        Map<String, String> annotations = object.metadata().annotations();
        if (!annotations.containsKey(LAST_APPLIED)) {
            return object;
        }
        Map<String, String> rest = new LinkedHashMap<>(annotations);
        rest.remove(LAST_APPLIED);
        return with(object, ObjectMetaBuilder.builder(object.metadata()).annotations(rest));
    }

    @SuppressWarnings("unchecked") // withMetadata promises the same class
    private static <T extends KubeObject> T with(T object, ObjectMetaBuilder metadata) {
        ObjectMeta changed = metadata.build();
        return (T) object.withMetadata(changed);
    }
}

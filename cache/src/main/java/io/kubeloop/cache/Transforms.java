package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.UnknownFields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Ready-made transforms, to be named as method references: {@code informer.setTransform(Transforms::stripManagedFields)}, or
 * {@code InformerConfig.DEFAULT.withTransform(Transforms::stripManagedFields)} for every informer of a factory.
 *
 * <p>What is stripped is missing from what listers and handlers see. Writing such an object back is safe in both cases: a
 * server keeps its managed fields if an update has none, and the annotation only serves {@code kubectl apply}, which then
 * merges as if for the first time; do not strip it from what people apply and you update.
 */
public final class Transforms {

    private static final String MANAGED_FIELDS = "managedFields";
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private Transforms() {}

    /** Returns the object as it is. */
    public static <T extends KubeObject> T identity(T object) {
        return object;
    }

    /**
     * Returns the object without {@code metadata.managedFields}, which say who set which field: often a third of an
     * object or more, and of no use to a controller. O(n) in the unknown metadata.
     */
    public static <T extends KubeObject> T stripManagedFields(T object) {
        UnknownFields fields = object.metadata().unknownFields();
        UnknownFields rest = fields.without(MANAGED_FIELDS);
        return fields.length() == rest.length()
                ? object
                : with(object, ObjectMetaBuilder.builder(object.metadata()).unknownFields(rest));
    }

    /** Returns the object without the annotation in which {@code kubectl apply} keeps a copy of all it was given. */
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

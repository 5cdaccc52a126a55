/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;

/** Makes references to objects (upstream: {@code client-go/tools/reference}). Stateless. */
public final class ObjectReferences {

    private ObjectReferences() {}

    /**
     * Returns a reference to the object, with its resource version. Group, version and kind come from the resource
     * type, because objects do not carry them.
     */
    public static ObjectReference of(ResourceType<?> type, KubeObject object) {
        return of(type, object, "");
    }

    /**
     * Returns a reference to a part of the object.
     *
     * @param fieldPath the part, such as {@code spec.containers{web}}
     */
    public static ObjectReference of(ResourceType<?> type, KubeObject object, String fieldPath) {
        ObjectMeta metadata = object.metadata();
        return new ObjectReference(
                type.kind(),
                metadata.namespace(),
                metadata.name(),
                metadata.uid(),
                type.apiVersion(),
                metadata.resourceVersion(),
                fieldPath,
                UnknownFields.NONE);
    }
}

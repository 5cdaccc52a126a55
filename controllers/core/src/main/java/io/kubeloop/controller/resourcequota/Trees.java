/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;

/** Cached objects as JSON trees, which the arithmetic of usage reads. */
final class Trees {

    /** The resource of the quotas. */
    static final ResourceType<GenericObject> QUOTAS =
            ResourceTypes.generic("", "v1", "resourcequotas", "ResourceQuota", ResourceType.Scope.NAMESPACED);

    private static final JsonCodec CODEC = JsonCodec.standard();

    private Trees() {}

    /** Returns a quota as a tree. */
    static JsonObject ofQuota(GenericObject quota) {
        return of(QUOTAS, quota);
    }

    /**
     * Returns an object as a tree; an empty one for an object of another kind, which is counted as one object. O(size
     * of the object).
     */
    static JsonObject of(ResourceType<?> type, KubeObject object) {
        if (object instanceof Pod pod) {
            return tree(ResourceTypes.PODS, pod);
        } else if (object instanceof Service service) {
            return tree(ResourceTypes.SERVICES, service);
        } else if (object instanceof PersistentVolumeClaim claim) {
            return tree(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim);
        } else if (object instanceof GenericObject generic) {
            return tree(
                    ResourceTypes.generic(type.group(), type.version(), type.plural(), type.kind(), type.scope()),
                    generic);
        }
        return JsonObject.EMPTY;
    }

    /** Returns whether the usage of the object depends on more than its existence. */
    static boolean isRead(KubeObject object) {
        return object instanceof Pod
                || object instanceof Service
                || object instanceof PersistentVolumeClaim
                || object instanceof GenericObject;
    }

    private static <T extends KubeObject> JsonObject tree(ResourceType<T> type, T object) {
        return JsonObject.parse(CODEC.encode(type, object));
    }
}

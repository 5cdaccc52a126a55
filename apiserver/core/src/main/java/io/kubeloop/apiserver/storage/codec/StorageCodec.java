/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage.codec;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * Converts objects between the served version and the version in which they are stored, for a resource whose conversion
 * calls a webhook (upstream: the codec of the storage of a custom resource). Must be thread-safe. Both methods can
 * block for as long as the webhook does, so callers must not hold a lock.
 */
public interface StorageCodec {

    /**
     * Returns the stored form of an object of the served version.
     *
     * @throws io.kubeloop.apiserver.rest.StatusException if the object cannot be converted
     */
    JsonObject encode(JsonObject object);

    /**
     * Returns objects in the served version, in the same order.
     *
     * @param objects objects in any version of the resource
     * @throws io.kubeloop.apiserver.rest.StatusException if one of the objects cannot be converted
     */
    List<JsonObject> decode(List<JsonObject> objects);
}

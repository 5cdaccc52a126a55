/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import io.kubeloop.json.tree.JsonObject;

/**
 * A form in which stored objects are sent. Its identity is the key under which an object keeps the bytes, so all
 * readers must use the same instance. Must be thread-safe and pure.
 */
@FunctionalInterface
public interface Encoding {

    /** The stored object in JSON. */
    Encoding STORED = JsonObject::toBytes;

    /** Returns the encoded object. */
    byte[] encode(JsonObject tree);
}

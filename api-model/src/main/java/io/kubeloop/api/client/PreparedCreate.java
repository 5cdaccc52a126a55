/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.ObjectIdentity;

/** Creates another object of the same content with each call; see {@link ResourceClient#prepareCreate}. Thread-safe. */
@FunctionalInterface
public interface PreparedCreate {

    /**
     * Creates one object. Blocks, and ends, as {@link ResourceClient#create} does.
     *
     * @return the name, UID and version that the server gave to the object
     */
    ObjectIdentity create();
}

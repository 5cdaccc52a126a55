/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import java.io.IOException;

/**
 * The classes of another library for Kubernetes' objects: how that library reads and writes them as JSON. See
 * {@link ForeignCodec}. Implementations are thread-safe.
 */
public interface ForeignModel {

    /**
     * Reads an object of this class.
     *
     * @param json an array that contains the object's JSON; it must not be changed or kept
     * @param offset where the object begins
     * @param length the number of bytes of the object
     * @throws IOException if the library cannot read the object
     */
    <V> V read(byte[] json, int offset, int length, Class<V> type) throws IOException;

    /**
     * Returns the JSON of an object, with {@code apiVersion} and {@code kind}.
     *
     * @throws IOException if the library cannot write the object
     */
    byte[] write(Object value) throws IOException;
}

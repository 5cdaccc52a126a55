/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import java.util.function.Function;

/** Thrown when an object has no key, so it cannot be stored (upstream: {@code cache.KeyError}). */
public final class KeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. The message identifies the object. */
    public KeyException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the key that the function computes for the object.
     *
     * @throws KeyException if the function throws
     */
    public static <K, T> K keyOf(Function<? super T, ? extends K> keyFunction, T object) {
        try {
            return keyFunction.apply(object);
        } catch (RuntimeException e) {
            throw new KeyException(String.valueOf(e.getMessage()), e);
        }
    }
}

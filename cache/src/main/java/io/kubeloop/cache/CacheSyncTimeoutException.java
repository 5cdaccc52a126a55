/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * Thrown when caches are not filled in time. The message names each informer, its last error and a missing permission
 * or resource, if that may be the cause.
 */
public final class CacheSyncTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception with this message. */
    public CacheSyncTimeoutException(String message) {
        super(message);
    }
}

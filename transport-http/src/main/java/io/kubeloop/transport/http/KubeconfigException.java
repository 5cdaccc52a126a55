/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import org.jspecify.annotations.Nullable;

/** A configuration cannot be used. The message names the file and the problem, and quotes no secret. */
public final class KubeconfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean empty;

    /** Makes an exception for a configuration that exists and cannot be used. */
    public KubeconfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.empty = false;
    }

    private KubeconfigException(String message) {
        super(message);
        this.empty = true;
    }

    /** Returns an exception for a configuration without any server. */
    public static KubeconfigException notConfigured(String message) {
        return new KubeconfigException(message);
    }

    /** Returns whether nothing is configured; false if the configuration has an error. */
    public boolean isEmpty() {
        return empty;
    }
}

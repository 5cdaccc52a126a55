/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import org.jspecify.annotations.Nullable;

/** A response of the server, or a manifest, is malformed. The message contains the JSON path. */
public final class DecodeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message must name the expected form, the place, and the text found. */
    public DecodeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

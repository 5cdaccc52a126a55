/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;

/** A failure of the connection to another server, with a text in the form of Go's HTTP client. */
public final class BackendException extends IOException {

    private static final long serialVersionUID = 1L;

    BackendException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates a failure that the content of a response shows. */
    public BackendException(String message) {
        super(message);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;

/** A request that is not valid HTTP for this server. The server replies and closes the connection. */
final class MalformedRequestException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int code;

    MalformedRequestException(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }
}

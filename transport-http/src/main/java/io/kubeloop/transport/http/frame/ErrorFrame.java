/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/** The body of a response that is not a stream, returned as one frame. Confined to the thread that reads the stream. */
public final class ErrorFrame {

    private final String what;
    private final BufferedSource body;
    private final long maxBytes;
    private boolean given;

    public ErrorFrame(String what, BufferedSource body, long maxBytes) {
        this.what = what;
        this.body = body;
        this.maxBytes = maxBytes;
    }

    public byte @Nullable [] next() throws IOException {
        if (given) {
            return null;
        }
        given = true;
        if (maxBytes < Long.MAX_VALUE ? body.request(maxBytes + 1) : body.request(maxBytes)) {
            throw new TransportException(
                    Kind.TOO_LARGE, what + ": the body of an error is larger than " + maxBytes + " bytes", null);
        }
        return body.readByteArray();
    }
}

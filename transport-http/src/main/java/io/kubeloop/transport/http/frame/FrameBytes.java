/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.IOException;
import okio.BufferedSource;

/** Waits for the bytes of a frame. Stateless. */
final class FrameBytes {

    private FrameBytes() {}

    /**
     * Blocks until the source holds {@code count} bytes of a frame that has begun.
     *
     * @throws IOException if the connection broke
     * @throws TransportException of kind {@code UNEXPECTED_EOF} if the stream ended
     */
    static void await(BufferedSource source, long count, String what) throws IOException {
        IOException early = null;
        try {
            if (source.request(count)) {
                return;
            }
        } catch (IOException e) {
            if (!IoErrors.isEarlyEnd(e)) {
                throw e;
            }
            early = e;
        }
        throw new TransportException(
                Kind.UNEXPECTED_EOF,
                what + ": the stream ended inside a frame, after "
                        + source.getBuffer().size() + " bytes of it",
                early);
    }
}

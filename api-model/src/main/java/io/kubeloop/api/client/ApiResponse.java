/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response of an API server to one request. The body streams from the connection, so a decoder can process a
 * list of any length without holding all its bytes.
 *
 * <p>Not thread-safe. The caller must close it. Reading the body blocks until bytes arrive, the connection breaks,
 * the request's deadline passes, or the thread is interrupted.
 *
 * @param code the HTTP status code
 * @param headers the headers, with names in lower case
 * @param body the content; never null, but may be empty. If the connection breaks, a read throws a
 *     {@link TransportException}, so a decoder does not report a malformed document
 */
public record ApiResponse(int code, Map<String, List<String>> headers, InputStream body) implements AutoCloseable {

    /** Returns the first value of a header, or null. The case of the name is ignored. */
    public @Nullable String header(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    /** Returns whether the code is 200 to 299. */
    public boolean isSuccessful() {
        return code >= 200 && code < 300;
    }

    /**
     * Reads the rest of the body into memory. Blocks until it has arrived. O(bytes) of memory.
     *
     * @param what the request, for messages
     * @throws TransportException of kind {@code BROKEN} if the connection breaks, or any kind that reading the body
     *     throws
     */
    public byte[] wholeBody(String what) {
        try {
            return body.readAllBytes();
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    what + ": the connection broke within the answer: " + e.getMessage(),
                    e);
        }
    }

    /** Ends the exchange and frees its connection. Does not block. Repeated calls have no effect. */
    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new TransportException(TransportException.Kind.BROKEN, "closing a response body failed", e);
        }
    }
}

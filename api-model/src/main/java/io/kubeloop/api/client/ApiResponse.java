package io.kubeloop.api.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An API server's answer to one request. The body is read from the wire as it is consumed, so that a list of any length
 * can be decoded without ever being held as a whole.
 *
 * <p>Not thread-safe; the caller closes it.
 *
 * @param code the HTTP status code
 * @param headers names in lower case
 * @param body the content; empty, never null. Where the connection breaks, reading throws a {@link TransportException}, so
 *     that a decoder cannot take it for a document that makes no sense
 */
public record ApiResponse(int code, Map<String, List<String>> headers, InputStream body) implements AutoCloseable {

    /** Returns the first value of a header, or null. The name's case does not matter. */
    public @Nullable String header(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    /** Returns whether the code is 200 to 299. */
    public boolean isSuccessful() {
        return code >= 200 && code < 300;
    }

    /**
     * Reads all of the body that is left. Costs as much memory as it is long.
     *
     * @param what the request, for messages
     * @throws TransportException of kind {@code BROKEN} if the connection breaks
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

    /** Ends the exchange and frees its connection; safe to call twice. */
    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new TransportException(TransportException.Kind.BROKEN, "closing a response body failed", e);
        }
    }
}

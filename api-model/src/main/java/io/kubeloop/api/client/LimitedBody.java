/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a response, up to a limit, for transports. Reading beyond the limit throws a {@link TransportException}
 * of kind {@link TransportException.Kind#TOO_LARGE}. Not thread-safe.
 */
public final class LimitedBody extends FilterInputStream {

    /** The limit of the transports of this project, unless configured: 1 GiB. */
    public static final long USUAL_LIMIT = 1L << 30;

    private final String what;
    private final long limit;
    private long count;

    /** Creates a body with {@link #USUAL_LIMIT}; see the other constructor. */
    public LimitedBody(String what, InputStream body) {
        this(what, body, USUAL_LIMIT);
    }

    /**
     * Creates a body.
     *
     * @param what the request and the server, for the message
     * @param body the body, which {@link #close} closes
     * @param limit the most bytes to read, at least 1
     */
    public LimitedBody(String what, InputStream body, long limit) {
        super(body);
        this.what = what;
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        return value < 0 ? value : counted(1, value);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = in.read(target, offset, length);
        return counted(Math.max(0, read), read);
    }

    @Override
    public long skip(long bytes) throws IOException {
        long skipped = in.skip(bytes);
        counted(skipped, 0);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private int counted(long more, int result) {
        count += more;
        if (count > limit) {
            throw new TransportException(
                    TransportException.Kind.TOO_LARGE,
                    what + ": the response is larger than the " + limit + " bytes allowed; list page by page (limit)",
                    null);
        }
        return result;
    }
}

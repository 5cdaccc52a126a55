/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stream that forwards every method to another one. Subclasses override what they observe or change.
 *
 * <p>A wrapper without this base class can miss a default method: without {@link #nextShared}, for example, each frame
 * is copied. As thread-safe as the other stream, and blocks as it does.
 */
public abstract class ForwardingApiStream implements ApiStream {

    private final ApiStream stream;

    /** Creates a stream that forwards to the given one, and closes it. */
    protected ForwardingApiStream(ApiStream stream) {
        this.stream = stream;
    }

    @Override
    public int code() {
        return stream.code();
    }

    @Override
    public Map<String, List<String>> headers() {
        return stream.headers();
    }

    @Override
    public byte @Nullable [] next() {
        return stream.next();
    }

    @Override
    public @Nullable ByteBuffer nextShared() {
        return stream.nextShared();
    }

    @Override
    public void close() {
        stream.close();
    }
}

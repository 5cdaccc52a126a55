/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.protobuf;

import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A watch that receives events in protocol buffers and returns them as JSON. One thread calls {@link #next()}; any
 * thread may close the stream.
 */
final class ProtobufStream implements ApiStream {

    private final String what;
    private final ApiStream frames;
    private final Consumer<String> givesUp;

    /**
     * Makes a stream.
     *
     * @param givesUp receives the name of the unknown field before the stream ends because of it
     */
    ProtobufStream(String what, ApiStream frames, Consumer<String> givesUp) {
        this.what = what;
        this.frames = frames;
        this.givesUp = givesUp;
    }

    @Override
    public int code() {
        return frames.code();
    }

    @Override
    public Map<String, List<String>> headers() {
        return ProtobufTransport.asJson(frames.headers());
    }

    @Override
    public byte @Nullable [] next() {
        byte[] frame = frames.next();
        if (frame == null) {
            return null;
        }
        if (frames.code() != 200) {
            return error(frame);
        }
        try {
            return ProtobufDocument.eventToJson(frame);
        } catch (NotInSchemaException e) {
            givesUp.accept(String.valueOf(e.getMessage()));
            frames.close();
            throw new TransportException(
                    TransportException.Kind.BROKEN, what + ": the watch must continue in JSON: " + e.getMessage(), e);
        }
    }

    private static byte[] error(byte[] frame) {
        try {
            return ProtobufDocument.toJson(frame, true);
        } catch (NotInSchemaException | DecodeException e) {
            return ProtobufTransport.unreadable(e);
        }
    }

    @Override
    public void close() {
        frames.close();
    }
}

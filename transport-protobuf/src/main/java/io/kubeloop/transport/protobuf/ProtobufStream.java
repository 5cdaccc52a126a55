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

/** A watch whose frames are events in protocol buffers, given out as JSON. Read by one thread; closed by any. */
final class ProtobufStream implements ApiStream {

    private final String what;
    private final ApiStream frames;
    private final Consumer<String> givesUp;

    /**
     * Makes a stream.
     *
     * @param givesUp is told what the table does not have, before the stream ends for it
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
                    TransportException.Kind.BROKEN, what + ": the watch has to go on in JSON: " + e.getMessage(), e);
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

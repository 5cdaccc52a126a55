package io.kubeloop.api.client;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import org.jspecify.annotations.Nullable;

/** Frames in, events out. Read by one thread; closed by any. */
final class DecodingWatchStream<T extends KubeObject> implements WatchStream<T> {

    private final ApiStream frames;
    private final ObjectCodec codec;
    private final ResourceType<T> type;

    DecodingWatchStream(ApiStream frames, ObjectCodec codec, ResourceType<T> type) {
        this.frames = frames;
        this.codec = codec;
        this.type = type;
    }

    @Override
    public @Nullable WatchEvent<T> next() {
        byte[] frame = frames.next();
        return frame == null ? null : codec.decodeEvent(type, frame);
    }

    @Override
    public void close() {
        frames.close();
    }
}
